import type { Redact } from "./redact.ts";
import { withoutCutToken } from "./token-shapes.ts";
import type { Secret } from "./withheld-environment.ts";

/** Fewer characters of a secret don't reveal anything. */
const SHORTEST_PIECE = 4;

/** What was kept of an output: all of it, or its beginning and its end. */
interface KeptOutput {
  parts(): readonly [whole: string] | readonly [head: string, tail: string];
  leftOutBytes(): number;
}

/** The output as text: secrets replaced, and a separate line where bytes were left out. */
export function renderOutput(output: KeptOutput, redact: Redact): string {
  const [head, tail] = output.parts();
  if (tail === undefined) return redact(head);
  const before = withoutCutToken(withoutCutSecretAtEnd(redact(head), redact.secrets));
  const after = withoutCutSecretAtStart(redact(tail), redact.secrets);
  const lineBreak = before === "" || before.endsWith("\n") ? "" : "\n";
  return `${before}${lineBreak}[… ${output.leftOutBytes()} bytes left out …]\n${after}`;
}

function withoutCutSecretAtEnd(text: string, secrets: readonly Secret[]): string {
  for (const { name, value } of secrets) {
    for (let length = value.length - 1; length >= SHORTEST_PIECE; length -= 1) {
      if (text.endsWith(value.slice(0, length))) return `${text.slice(0, -length)}[${name} withheld]`;
    }
  }
  return text;
}

function withoutCutSecretAtStart(text: string, secrets: readonly Secret[]): string {
  for (const { name, value } of secrets) {
    for (let length = value.length - 1; length >= SHORTEST_PIECE; length -= 1) {
      if (text.startsWith(value.slice(-length))) return `[${name} withheld]${text.slice(length)}`;
    }
  }
  return text;
}

import type { CappedOutput } from "./capped-output.ts";
import { replaceSecrets, type Secret } from "./withheld-environment.ts";

/** Fewer characters than this of a secret say nothing. */
const SHORTEST_PIECE = 4;

/** The output as text: secrets replaced, and a line of its own where bytes were left out. */
export function renderOutput(output: CappedOutput, secrets: readonly Secret[]): string {
  const [head, tail] = output.parts();
  if (tail === undefined) return replaceSecrets(head, secrets);
  const before = withoutCutSecretAtEnd(replaceSecrets(head, secrets), secrets);
  const after = withoutCutSecretAtStart(replaceSecrets(tail, secrets), secrets);
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

import { replaceShapes, withholdSecrets, withoutCutToken, type Secret } from "./recognize.ts";

/** Removes secrets from text that is kept or shown: those of the environment by value, others by shape. */
export interface Redact {
  (text: string): string;
  /** For text that was cut, which may start or end in the middle of a secret. */
  readonly secrets: readonly Secret[];
}

/** Shorter lines of a secret don't reveal anything. */
const SHORTEST_LINE = 16;

export function redactor(env: NodeJS.ProcessEnv): Redact {
  return redactorOf(withholdSecrets(env, []).secrets);
}

export function redactorOf(known: readonly Secret[]): Redact {
  // Longest values first, so a secret inside another one doesn't leave half of it.
  const secrets = known.flatMap(formsOf).toSorted((a, b) => b.value.length - a.value.length);
  const redact = (text: string): string =>
    replaceShapes(
      secrets.reduce((result, { name, value }) => result.replaceAll(value, () => `[${name} withheld]`), text),
    );
  return Object.assign(redact, { secrets });
}

/** The value itself, as JSON writes it, and the lines of a longer one, because output comes line by line. */
function formsOf({ name, value }: Secret): readonly Secret[] {
  const lines = value.includes("\n") ? value.split("\n").map((line) => line.trim()) : [];
  const forms = [value, ...lines.filter((line) => line.length >= SHORTEST_LINE)];
  return [...new Set(forms.flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]))].map((form) => ({
    name,
    value: form,
  }));
}

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

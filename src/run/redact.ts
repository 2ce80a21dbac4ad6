import { replaceSecrets, withholdSecrets, type Secret } from "../process/withheld-environment.ts";

/** Takes the values of secrets out of text that is kept or shown. */
export interface Redact {
  (text: string): string;
  /** For text that was cut, which may begin or end in the middle of one. */
  readonly secrets: readonly Secret[];
}

/** A line of a secret says something from this length on. */
const SHORTEST_LINE = 16;

export function redactor(env: NodeJS.ProcessEnv): Redact {
  const secrets = withholdSecrets(env, []).secrets.flatMap(formsOf);
  return Object.assign((text: string) => replaceSecrets(text, secrets), { secrets });
}

/** As it is, as JSON writes it, and the lines of a longer one: output comes line by line. */
function formsOf({ name, value }: Secret): readonly Secret[] {
  const lines = value.includes("\n") ? value.split("\n").map((line) => line.trim()) : [];
  const forms = [value, ...lines.filter((line) => line.length >= SHORTEST_LINE)];
  return [...new Set(forms.flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]))].map((form) => ({
    name,
    value: form,
  }));
}

import { replaceSecrets, withholdSecrets } from "../process/withheld-environment.ts";

/** Takes the values of secrets out of text that is kept or shown, as they are and as JSON writes them. */
export function redactor(env: NodeJS.ProcessEnv): (text: string) => string {
  const secrets = withholdSecrets(env, []).secrets.flatMap((secret) => {
    const inJson = JSON.stringify(secret.value).slice(1, -1);
    return inJson === secret.value ? [secret] : [secret, { ...secret, value: inJson }];
  });
  return (text) => replaceSecrets(text, secrets);
}

/** The user's kill switch, checked before anything is read. */
export function isDisabled(env: NodeJS.ProcessEnv): boolean {
  return env["LOOP_DISABLE"] === "1" || env["IDLE_LOOP_DISABLE"] === "1";
}

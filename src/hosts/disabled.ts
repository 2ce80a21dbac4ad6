/** The user's way out, whatever else is wrong: asked before anything is read. */
export function isDisabled(env: NodeJS.ProcessEnv): boolean {
  return env["LOOP_DISABLE"] === "1" || env["IDLE_LOOP_DISABLE"] === "1";
}

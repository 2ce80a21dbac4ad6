/** The variable that all processes of a run inherit and are found by. */
const VARIABLE = "LOOP_RUN_ID";

/** A run inside a run is found by both ids. */
export function markWithRun(env: NodeJS.ProcessEnv, runId: string): NodeJS.ProcessEnv {
  const outerRuns = env[VARIABLE];
  return { ...env, [VARIABLE]: outerRuns ? `${outerRuns} ${runId}` : runId };
}

export function withoutRunMark(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [VARIABLE]: _runs, ...others } = env;
  return others;
}

/** Whether an environment as Linux shows it, ended by a NUL after each variable, belongs to a process of the run. */
export function carriesRunMark(environ: string, runId: string): boolean {
  const start = `\0${environ}`.indexOf(`\0${VARIABLE}=`);
  if (start === -1 || runId === "") return false;
  const [variable = ""] = environ.slice(start).split("\0", 1);
  return variable
    .slice(VARIABLE.length + 1)
    .split(" ")
    .includes(runId);
}

import { runAgentProcess } from "../../src/system/process/agent-process.ts";
import { endProcessesOfRun } from "../../src/system/process/run-processes.ts";
import { startGuardian } from "../../src/system/process/guardian.ts";

/**
 * What a run does with its guardian, for tests to kill. With a shell line it runs that as an agent; without one it does
 * nothing further. `end` instead ends what else carries the id.
 */
const [program = "", runId = "", line] = process.argv.slice(2);
if (program === "end") {
  await endProcessesOfRun(runId);
  process.stdout.write("still here");
} else {
  const guardian = startGuardian({ program: [process.execPath, program], runId });
  if (line !== undefined) {
    const { ending } = await runAgentProcess({
      command: { kind: "shell", line },
      cwd: process.cwd(),
      env: process.env,
      stdin: "",
      runId,
      onLine: () => {},
      silenceLimitMs: null,
      guard: (leader) => {
        const isGone = guardian.guard(leader);
        process.stderr.write("guarded");
        return isGone;
      },
    });
    await guardian.dismiss();
    process.stdout.write(ending.type);
  }
}

import { runAgentProcess } from "../../src/system/process/agent-process.ts";

/** Runs a shell line as an agent and prints what came of it, with the memory that it took at most, in kB. */
const [line = ""] = process.argv.slice(2);
const before = process.resourceUsage().maxRSS;
let lines = 0;
let characters = 0;
const outcome = await runAgentProcess({
  command: { kind: "shell", line },
  cwd: process.cwd(),
  env: process.env,
  stdin: "",
  runId: `memory-${process.pid}`,
  onLine: (each) => {
    lines += 1;
    characters += each.length;
  },
  silenceLimitMs: null,
});
const grownKb = process.resourceUsage().maxRSS - before;
process.stdout.write(JSON.stringify({ ...outcome, lines, characters, grownKb }));

import { runCommand } from "../../src/system/process/run-command.ts";
import { openRoom } from "../../src/system/room/room.ts";

/** Runs a shell line in a room (or, as `outside`, beside it) and prints what came of it; for tests to kill, or to start as another user. */
const [where = "", root = "", scratch = "", line = ""] = process.argv.slice(2);
const options = {
  command: { kind: "shell", line },
  cwd: root,
  timeoutMs: 50_000,
  env: process.env,
  passEnv: [],
} as const;

async function inside() {
  const replacements = [
    { path: "replaced.txt", content: Buffer.from("old\n"), mode: "100644" },
    { path: "absent.txt", content: null, mode: "100644" },
  ] as const;
  const room = await openRoom({ root, scratch, replacements });
  const outcome = await room.run(options);
  await room.close();
  return { ...outcome, isFaithful: room.isFaithful };
}

process.stdout.write(JSON.stringify(where === "outside" ? await runCommand(options) : await inside()));

import { runCommand } from "../src/system/process/run-command.ts";
import { findRoom, openRoom } from "../src/system/room/room.ts";
import { createLargeProject } from "./large-project.ts";
import { medians, report, write } from "./measure.ts";

const FILE = {
  path: "package-0/module-0/file-0.txt",
  content: Buffer.from("replaced"),
  mode: "100644",
} as const;

/** What a clean room costs on top of the command that runs in it, in a repository of 50,000 files. */
export async function benchRoom(folder: string): Promise<void> {
  const { root, home, env, git } = createLargeProject(folder);
  const command = {
    command: { kind: "shell", line: "true" },
    cwd: root,
    timeoutMs: 60_000,
    env,
    passEnv: [],
  } as const;
  const options = { root, scratch: home, replacements: [FILE] };
  write(`\nThe room of this machine: ${(await findRoom(root, home)).type}`);
  const opening: number[] = [];
  const figures = await medians(
    [
      { name: "git status", run: () => git("status", "--porcelain") },
      { name: "a command", run: async () => void (await runCommand(command)) },
      {
        name: "a room opened and closed",
        run: async () => {
          const start = performance.now();
          const room = await openRoom(options);
          opening.push(performance.now() - start);
          await room.close();
        },
      },
      {
        name: "a command in a room",
        run: async () => {
          const room = await openRoom(options);
          await room.run(command);
          await room.close();
        },
      },
    ],
    15,
  );
  report("Clean room in a repository of 50,000 files", figures, "git status", {
    "a room opened and closed": "1 or less",
  });
  write(`  opening alone, the quickest: ${Math.min(...opening).toFixed(1)} ms`);
}

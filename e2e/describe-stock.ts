import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Move, ScriptedAgent } from "./agents/agent.ts";
import { DrivenWorld, words } from "./driven-world.ts";

/** What is out of bounds for an agent to which nobody has allowed anything, and the flag that allows it. */
interface OutOfBounds {
  readonly title: string;
  readonly move: Move;
  /** What it would leave behind, seen from the project. */
  readonly makes?: string;
  readonly flag: string;
}

const CHECK = ["-c", "one=grep -q first one.txt"];

/** The README's first command, with a client as it is installed: no settings, no permissions given. */
export function describeStock(agent: ScriptedAgent, outOfBounds: readonly OutOfBounds[]): void {
  describe(`${agent.id}, without settings`, () => {
    const run = (world: DrivenWorld) =>
      world.loop("run", "--agent", agent.id, ...agent.stock, "Write the file one.txt", ...CHECK);

    test("edits files and runs loop check, and nothing is denied", async () => {
      const world = await DrivenWorld.create(agent, [
        { write: "src/deep/one.txt", text: "first\n" },
        { write: "one.txt", text: "first\n" },
        { run: "loop check" },
        { say: words("It is written.", true) },
      ]);
      const ran = await run(world);

      const looked = "loop: Checks before any work:\n  ✗ one  failed with exit code 2\n";
      expect(ran).toMatchObject({ code: 0, err: looked });
      expect(ran.out).toMatch(/^\[LOOP\] .+ may edit files here/m);
      expect(world.read("src/deep/one.txt")).toBe("first\n");
      // What `loop check` printed came to the model.
      expect(world.model.heard[3]).toMatch(/one {2}grep -q first one.txt: passed/);
      expect(world.model.outside).toEqual([]);
    });

    test.each(outOfBounds)("may not $title, and the flag is named that allows it", async (wanted) => {
      const refused = [wanted.move, { say: words("I was not allowed to.", false) }];
      const world = await DrivenWorld.create(agent, [...refused, ...refused]);
      const made = resolve(world.project, wanted.makes ?? "nothing");
      onTestFinished(() => rmSync(made, { recursive: true, force: true }));
      const ran = await run(world);

      expect(ran).toMatchObject({ code: 4 });
      expect(ran.out).toContain(`permission is missing: ${wanted.flag}`);
      expect(ran.out).toContain(`Resume: loop continue ${wanted.flag}\n`);
      expect(existsSync(made)).toBe(false);

      world.model.play([
        wanted.move,
        { write: "one.txt", text: "first\n" },
        { say: words("It is written.", true) },
      ]);
      expect(await world.loop("continue", ...asShellWords(wanted.flag))).toMatchObject({ code: 0 });
      expect(existsSync(made)).toBe(wanted.makes !== undefined);
      expect(existsSync(join(world.project, "one.txt"))).toBe(true);
    });
  });
}

function asShellWords(flags: string): readonly string[] {
  return [...flags.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
}

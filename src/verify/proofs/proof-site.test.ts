import { describe, expect, it } from "vitest";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import { hasPassed } from "../checks/check-site.ts";
import { RoomError } from "../../system/room/scratch.ts";
import { runInRoom, type ProofScene } from "./proof-site.ts";

const PASSED: CommandOutcome = {
  ending: { type: "exited", code: 0 },
  output: "fine\n",
  durationMs: 1,
  withheld: [],
};
const NAMED = {
  name: "tests",
  check: { command: { kind: "shell", line: "true" }, timeoutMs: 1_000, passEnv: [] },
} as const;

interface Played {
  readonly isFaithful?: boolean;
  /** The files after the run. */
  readonly after?: string;
  readonly failing?: Error;
}

/** A scene whose room does as it is told; `closed` says how often one was closed. */
function sceneWith({ isFaithful = true, after = "before", failing }: Played): {
  readonly scene: ProofScene;
  readonly closed: () => number;
} {
  let closed = 0;
  const room = {
    isFaithful,
    why: isFaithful ? null : "a copy at another path: darwin has no overlays",
    run: async () => (failing === undefined ? PASSED : Promise.reject(failing)),
    close: async () => void (closed += 1),
  };
  const scene = {
    machine: { rooms: { open: async () => room } },
    place: { root: "/project" },
    site: {
      root: "/project",
      folder: "/project",
      signal: null,
      takeResources: async () => () => {},
      readTree: async () => ({ digest: after }),
    },
    reading: { digest: "before" },
    comparison: { now: new Map([["b.js", "1"]]) },
  };
  return { scene: scene as unknown as ProofScene, closed: () => closed };
}

describe("what ran in a clean room", () => {
  it("counts where the room is faithful and the project stays as it is", async () => {
    const { scene, closed } = sceneWith({});
    expect(await runInRoom(scene, NAMED, [])).toEqual({ outcome: PASSED, copied: null });
    expect(closed()).toBe(1);
  });

  it.each<readonly [string, Played, string]>([
    ["somebody changes files meanwhile", { after: "after" }, "files of the project changed while it ran"],
    ["the room fails", { failing: new RoomError("no space left") }, "the clean room failed: no space left"],
  ])("shows nothing where %s, and says so", async (_, played, why) => {
    const { scene, closed } = sceneWith(played);
    expect(await runInRoom(scene, NAMED, [])).toEqual({ why });
    expect(closed()).toBe(1);
  });

  it("runs once for the same check on the same files", async () => {
    const { scene, closed } = sceneWith({});
    const remembering = { ...scene, ran: new Map() };
    const file = { path: "a.js", content: Buffer.from("1"), mode: "100644" } as const;
    const other = { ...file, content: Buffer.from("2") };
    for (const files of [[file], [file], [other]]) await runInRoom(remembering, NAMED, files);
    expect(closed()).toBe(2);
    await runInRoom({ ...remembering, surroundings: { without: ["b"], fresh: null } }, NAMED, [file]);
    expect(closed()).toBe(3);
  });

  it.each<readonly [string, (text: string) => boolean, boolean, string | null]>([
    ["passes, and looks at the files there", (text) => !text.includes(")}]"), true, null],
    ["passes whatever is there", () => true, true, "it doesn't look at the files there"],
    ["fails, and passes as it is", (text) => text === "", false, null],
    ["fails as it is, too", () => false, false, "it doesn't pass in a copy"],
  ])("of a copy counts only if the check %s", async (_, passesWith, isGreen, why) => {
    const { scene } = sceneWith({ isFaithful: false });
    const open = async ({ replacements }: { readonly replacements: readonly { content: Buffer }[] }) => ({
      isFaithful: false,
      why: "a copy at another path: darwin has no overlays",
      run: async (): Promise<CommandOutcome> => {
        const code = passesWith(replacements.map(({ content }) => content.toString()).join("")) ? 0 : 1;
        return { ...PASSED, ending: { type: "exited", code } };
      },
      close: async () => {},
    });
    const copied = { ...scene, machine: { rooms: { open } } } as unknown as ProofScene;
    const file = { path: "a.js", content: Buffer.from("1"), mode: "100644" } as const;
    const run = await runInRoom(copied, NAMED, [file]);
    const said = "why" in run ? run.why : `${run.copied}: ${hasPassed(run.outcome)}`;
    expect(said).toContain(why ?? `darwin has no overlays: ${isGreen}`);
  });

  it("of a copy from which files were only taken away counts if the check looks at any code there", async () => {
    const { scene } = sceneWith({ isFaithful: false });
    const tried: string[] = [];
    const open = async ({ replacements }: { readonly replacements: readonly { path: string }[] }) => ({
      isFaithful: false,
      why: "a copy",
      run: async (): Promise<CommandOutcome> => {
        tried.push(replacements.map(({ path }) => path).join());
        return { ...PASSED, ending: { type: "exited", code: tried.length === 1 ? 0 : 1 } };
      },
      close: async () => {},
    });
    const copied = { ...scene, machine: { rooms: { open } } } as unknown as ProofScene;
    const gone = { path: "a.out", content: null, mode: "100644" } as const;
    expect(await runInRoom(copied, NAMED, [gone])).toMatchObject({ copied: "a copy" });
    expect(tried).toEqual(["a.out", "b.js"]);
  });

  it("an error of our own is not taken for the room's", async () => {
    const { scene, closed } = sceneWith({ failing: new TypeError("a bug") });
    await expect(runInRoom(scene, NAMED, [])).rejects.toThrow("a bug");
    expect(closed()).toBe(1);
  });
});

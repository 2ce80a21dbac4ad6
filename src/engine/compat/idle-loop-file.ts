import type { Mode } from "../../core/loop/loop.ts";
import { MODES } from "../../core/loop/loop.ts";
import type { ForeignState } from "./foreign-loop.ts";

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)([\s\S]*)$/;

/** `.claude/idle-loop.local.md`: front matter with `active, mode, iteration, max_iterations`, then the prompt. */
export function readIdleLoopFile(text: string): ForeignState {
  const match = FRONT_MATTER.exec(text.replace(/^\uFEFF/, ""));
  if (match === null) return { type: "corrupt", why: ".claude/idle-loop.local.md has no front matter" };
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}:[ \\t]*(.*?)[ \\t\\r]*$`, "m")
      .exec(match[1] ?? "")?.[1]
      ?.replace(/^["']|["']$/g, "");
  if (field("active") !== "true") return { type: "over", why: "it is not active" };
  const iteration = field("iteration") ?? "";
  const limit = field("max_iterations") ?? "";
  if (!/^\d{1,9}$/.test(iteration) || !/^\d{1,9}$/.test(limit)) {
    return { type: "corrupt", why: "a counter in .claude/idle-loop.local.md is not a number" };
  }
  const mode = MODES.find((each) => each === field("mode")) ?? ("loop" satisfies Mode);
  return {
    type: "running",
    writtenAt: null,
    loop: {
      origin: "idle-loop",
      spec: (match[2] ?? "").trim(),
      exitRule: "signal",
      frames: [{ id: null, mode, iteration: Number(iteration), iterationLimit: Number(limit) }],
      criteria: [],
      steps: [],
    },
  };
}

/** The same file with a new counter or its end; everything else stays unchanged. */
export function writeIdleLoopFile(
  text: string,
  state: { readonly active: boolean; readonly iteration: number },
): string {
  const replaceField = (source: string, name: string, value: string): string =>
    source.replace(new RegExp(`^(${name}:[ \\t]*).*?(\\r?)$`, "m"), `$1${value}$2`);
  return replaceField(
    replaceField(text, "iteration", String(state.iteration)),
    "active",
    String(state.active),
  );
}

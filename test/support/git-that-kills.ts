import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "./sandbox.ts";

/** A git before the real one on the PATH, which kills its caller when one of its words is this: before it works, or after. */
export function gitThatKills(stage: Sandbox, word: string, moment: "before" | "after"): NodeJS.ProcessEnv {
  const bin = join(stage.home, "bin");
  mkdirSync(bin);
  const text = `#!/bin/sh
PATH=\${PATH#*:}
for word; do case "$word" in '${word}') at_work=yes;; esac; done
[ -z "$at_work" ] && exec git "$@"
${moment === "after" ? 'git "$@"' : ""}
kill -9 "$PPID"
`;
  writeFileSync(join(bin, "git"), text, { mode: 0o755 });
  return { ...stage.env, PATH: `${bin}:${stage.env["PATH"]}` };
}

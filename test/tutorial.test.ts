import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { oneOf } from "./support/effort.ts";
import { Sandbox } from "./support/sandbox.ts";

const SECTIONS = readFileSync("docs/tutorial.md", "utf8").split(/^## /m).slice(1);

/** What an agent would do in each project: the tutorial's reader has a real one. */
const FIXES: { readonly [language: string]: { tool: string; file: string; edit: string } } = {
  JavaScript: {
    tool: "node",
    file: "cart.js",
    edit: "s/{ price })/{ price, quantity })/; s/+ price/+ price * quantity/",
  },
  Python: { tool: "python3", file: "words.py", edit: "s/word.capitalize()/word[:1].upper() + word[1:]/" },
  C: { tool: "make", file: "ring.c", edit: "s/index % size/((index % size) + size) % size/" },
  Go: { tool: "go", file: "clock.go", edit: "s/%d:%d/%d:%02d/" },
};

const isThere = (tool: string): boolean => spawnSync("which", [tool]).status === 0;

test.each(oneOf(Object.entries(FIXES)))(
  "the tutorial for %s ends verified, because of the file that was fixed",
  (language, { tool, file, edit }) => {
    const section = SECTIONS.find((each) => each.startsWith(`${language}\n`)) ?? "";
    const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
    expect(blocks).toHaveLength(2);
    if (!isThere(tool)) return;

    const sandbox = new Sandbox();
    const agent = join(sandbox.home, "agent");
    writeFileSync(agent, `#!/bin/sh\nexec sed -i '${edit}' ${file}\n`, { mode: 0o755 });
    const bin = join(sandbox.home, "bin");
    mkdirSync(bin);
    const program = `#!/bin/sh\nexec "${process.execPath}" "${join(process.cwd(), "dist/cli.js")}" "$@" --agent command --command "${agent}"\n`;
    writeFileSync(join(bin, "loop"), program, { mode: 0o755 });
    const { status, stdout, stderr } = spawnSync("sh", ["-e", "-c", blocks.join("\n")], {
      cwd: sandbox.root,
      env: { ...sandbox.env, PATH: `${bin}:${dirname(process.execPath)}:${sandbox.env["PATH"]}` },
      encoding: "utf8",
    });

    for (const [, printed = ""] of section.matchAll(/```text\n([\s\S]*?)```/g))
      expect(stdout).toContain(printed);
    expect(stdout + stderr).toContain(`Because of: ${file}`);
    expect(status).toBe(0);
  },
);

import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { INSTALLERS } from "../src/agents/hosts/installers.ts";
import { Sandbox } from "./support/sandbox.ts";
import { isCiEffort } from "./support/effort.ts";

const CLI = resolve("dist/cli.js");

/** A sandbox with `loop` on its PATH. */
class ShellSandbox extends Sandbox {
  constructor() {
    super({ "spec one.md": "", "script.json": "" });
    const bin = join(this.home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "loop"), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
    chmodSync(join(bin, "loop"), 0o755);
    this.env["PATH"] = `${bin}:${this.env["PATH"]}`;
  }

  shell(program: string, flags: readonly string[], script: string): string {
    const { status, stdout, stderr } = spawnSync(program, [...flags, "-c", script], {
      cwd: this.root,
      env: this.env,
      encoding: "utf8",
    });
    if (status !== 0 || stderr !== "") throw new Error(`${program} (${status}): ${stderr}`);
    return stdout;
  }
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(" ");
}

const ASKED: readonly (readonly [what: string, words: readonly string[], expected: readonly string[]])[] = [
  ["commands", ["sta"], ["start", "status"]],
  ["options", ["status", "--wa"], ["--watch"]],
  ["values of an option", ["run", "--agent", "co"], ["codex", "copilot", "command"]],
  ["hosts", ["install", ""], INSTALLERS.map(({ id }) => id)],
];

describe("bash", () => {
  function completed(sandbox: ShellSandbox, words: readonly string[]): readonly string[] {
    const script = `eval "$(loop completion bash)"
      COMP_WORDS=(loop ${quoted(words)}); COMP_CWORD=${words.length}
      complete -p loop >/dev/null && _loop loop "\${COMP_WORDS[COMP_CWORD]}" "" && printf '%s\\n' "\${COMPREPLY[@]}"`;
    return sandbox.shell("bash", ["--norc", "--noprofile"], script).trimEnd().split("\n");
  }

  test.each(ASKED)("completes %s", (_what, words, expected) => {
    expect(completed(new ShellSandbox(), words)).toEqual(expected);
  });

  test("completes loops, also behind an equals sign, which it makes a word of its own", () => {
    const sandbox = new ShellSandbox();
    const { id } = sandbox.start(null, "Fix it");
    expect(completed(sandbox, ["status", "--loop", ""])).toEqual([id]);
    expect(completed(sandbox, ["status", "--loop", "=", "fix"])).toEqual([id]);
  });

  test("completes files", () => {
    const sandbox = new ShellSandbox();
    // Outside of a completion there is no compopt, which is as in the bash of macOS.
    expect(completed(sandbox, ["run", "--script", "scr"])).toEqual(["script.json"]);
  });
});

const hasZsh = isInstalled("zsh");

describe.runIf(isCiEffort && hasZsh)(`zsh${hasZsh ? "" : " (not installed)"}`, () => {
  /** With its completion system played: what it would be given is printed. */
  function completed(sandbox: ShellSandbox, words: readonly string[]): readonly string[] {
    const script = `compdef() { : }; compset() { : }; _files() { print files }; _describe() { print -l -- "\${(@P)3}" }
      eval "$(loop completion zsh)"
      words=(loop ${quoted(words)}); CURRENT=${words.length + 1}; _loop`;
    return sandbox.shell("zsh", ["-f"], script).trimEnd().split("\n");
  }

  test.each(ASKED)("completes %s, with what they are for", (_what, words, expected) => {
    const found = completed(new ShellSandbox(), words);
    expect(found.map((each) => each.split(":")[0])).toEqual(expected);
  });

  test("completes loops with their spec, whatever it holds", () => {
    const sandbox = new ShellSandbox();
    const { id } = sandbox.start(null, "Fix it: $(touch gone) `id` 100%");
    expect(completed(sandbox, ["status", "--loop", ""])).toEqual([
      `${id}:active: Fix it: $(touch gone) \`id\` 100%`,
    ]);
    expect(completed(sandbox, ["status", "--loop=f"])).toEqual([
      `--loop=${id}:active: Fix it: $(touch gone) \`id\` 100%`,
    ]);
  });

  test("completes files", () => {
    expect(completed(new ShellSandbox(), ["run", "-f", ""])).toEqual(["files"]);
  });
});

const hasFish = isInstalled("fish");

describe.runIf(isCiEffort && hasFish)(`fish${hasFish ? "" : " (not installed)"}`, () => {
  function completed(sandbox: ShellSandbox, line: string): readonly string[] {
    const script = `loop completion fish | source; complete -C "loop ${line}"`;
    return sandbox.shell("fish", ["--no-config"], script).trimEnd().split("\n");
  }

  test.each(ASKED)("completes %s", (_what, words, expected) => {
    const found = completed(new ShellSandbox(), words.join(" "));
    expect(found.map((each) => each.split("\t")[0]).toSorted()).toEqual(expected.toSorted());
  });

  test("completes loops and files, also behind an equals sign", () => {
    const sandbox = new ShellSandbox();
    const { id } = sandbox.start(null, "Fix it");
    expect(completed(sandbox, "status --loop ")).toEqual([`${id}\tactive: Fix it`]);
    expect(completed(sandbox, "status --loop=")).toEqual([`--loop=${id}\tactive: Fix it`]);
    expect(completed(sandbox, "run --script scr")).toEqual(["script.json"]);
    expect(completed(sandbox, "run --script=scr")).toEqual(["--script=script.json"]);
  });
});

describe("what shells ask", () => {
  test("is answered without a word where there is nothing to say", () => {
    const sandbox = new Sandbox();
    for (const words of [
      ["nonsense", "--what", "=", ""],
      ["run", "--loop", ""],
      ["--", "--", "-"],
    ]) {
      expect(sandbox.loop("complete", "--", ...words)).toEqual({ code: 0, out: "", err: "" });
    }
  });

  test("names no loop of a stranger", () => {
    const sandbox = new Sandbox();
    const { id } = sandbox.start(null, "Fix it");
    const elsewhere = { env: { XDG_STATE_HOME: join(sandbox.home, "other") } };
    expect(sandbox.loopWith(elsewhere, "start", "Another's").code).toBe(0);
    expect(sandbox.loop("complete", "--", "status", "--loop", "").out).toBe(`${id}\tactive: Fix it\n`);
  });

  test("is no command for people", () => {
    const { out } = new Sandbox().loop("--help");
    expect(out).toMatch(/^ {2}completion /m);
    expect(out).not.toMatch(/^ {2}complete /m);
  });
});

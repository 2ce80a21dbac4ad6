import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { UserError } from "../../../core/user-error.ts";
import { findProject } from "../../../storage/home/project.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { isWithin } from "../../../system/files/folders.ts";
import { runGit } from "../../../system/git/run-git.ts";
import { shellWord } from "../../../system/text/plain-text.ts";

type Place = Pick<Machine, "env" | "cwd">;

const PLAIN_PATH = /^[\w@%+=:,./-]+$/;
const PROGRAM = /^[\w@%+:,./-]+(?=\s|$)/;
const WORD = /(?<=^|\s)[\w@%+=:,./-]+(?=\s|$)/g;
/** What a shell answers about a word that it can't run. */
const NOT_FOUND = new Set<number | null>([1, 127]);

/**
 * A line as it was typed where the user stands. The agent may work in a worktree elsewhere, so a path that leads out of the project is
 * written as a whole. A shell says whether there is such a program, or whether it is a word of its own.
 */
export function commandTyped(line: string, { env, cwd }: Place): string {
  expectProgram(line, { env, cwd });
  const { root } = findProject(cwd);
  return line.replaceAll(WORD, (word) => {
    const path = resolve(cwd, word);
    const isOutside = /^\.\.?\//.test(word) && !isWithin(path, root) && existsSync(path);
    return isOutside && PLAIN_PATH.test(path) ? path : word;
  });
}

function expectProgram(line: string, { env, cwd }: Place): void {
  const [program] = PROGRAM.exec(line.trim()) ?? [];
  if (program === undefined) return;
  const other = "or name another one: --command 'PROGRAM'";
  const path = resolve(cwd, program);
  const found = program.includes("/") ? statSync(path, { throwIfNoEntry: false }) : undefined;
  if (found?.isDirectory() === true)
    throw new UserError(`${program} is a folder; name a program in it, ${other}`);
  if (found !== undefined && !isExecutable(path))
    throw new UserError(
      `${program} is not executable; make it so with: chmod +x ${shellWord(program)}, ${other}`,
    );
  const looks = ["-c", 'command -v -- "$1"', "sh", program];
  if (NOT_FOUND.has(spawnSync("/bin/sh", looks, { cwd, env }).status))
    throw new UserError(`The program ${program} isn't installed here; name another one: --command 'PROGRAM'`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

interface TypedFlags {
  readonly agent?: string;
  readonly command?: string;
}

/** A worktree has only what is committed, so a file of the project that isn't is named by its whole path. */
export async function withWholePaths<Flags extends TypedFlags>(flags: Flags, place: Place): Promise<Flags> {
  const { agent, command } = flags;
  const acp = agent?.startsWith("acp:") === true ? agent.slice("acp:".length) : null;
  return {
    ...flags,
    ...(command === undefined ? {} : { command: await wholePathsIn(command, place) }),
    ...(acp === null ? {} : { agent: `acp:${await wholePathsIn(acp, place)}` }),
  };
}

async function wholePathsIn(line: string, { env, cwd }: Place): Promise<string> {
  // As it was typed, so that an error names what the user knows.
  expectProgram(line, { env, cwd });
  const { root } = findProject(cwd);
  const words = new Map<string, string>();
  for (const [word] of line.matchAll(WORD)) {
    const path = resolve(cwd, word);
    const isPath = /\/|\.\w+$/.test(word) && isWithin(path, root);
    if (isPath && statSync(path, { throwIfNoEntry: false })?.isFile() === true) words.set(word, path);
  }
  if (words.size === 0) return line;
  const inProject = (path: string): string => relative(root, path).split(sep).join("/");
  const args = ["ls-tree", "-z", "--name-only", "HEAD", "--", ...[...words.values()].map(inProject)];
  const { ok, stdout } = await runGit({ root, args });
  if (!ok) return line;
  const committed = new Set(stdout.toString("utf8").split("\0"));
  return line.replaceAll(WORD, (word, offset: number) => {
    const path = words.get(word);
    if (path === undefined || committed.has(inProject(path))) return word;
    // The first word stands in no quotes, so it can have its own.
    if (offset === 0) return shellWord(path);
    return PLAIN_PATH.test(path) ? path : word;
  });
}

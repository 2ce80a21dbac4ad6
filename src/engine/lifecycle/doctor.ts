import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { callerOf } from "../../agents/hosts/caller.ts";
import { isDisabled } from "../../agents/hosts/hook-call.ts";
import { errnoOf } from "../../system/files/path-errors.ts";
import { knownProjects, findProject, callerLocationAt, type Project } from "../../storage/home/project.ts";
import { configName, findConfig } from "../../storage/home/project-config.ts";
import { fileSystemOf } from "../../system/files/folders.ts";
import { gitVersion } from "../../system/git/run-git.ts";
import { findRoom } from "../../system/room/room.ts";
import { roomsFolder } from "../../system/room/scratch.ts";
import { isOpen } from "../../storage/loops/known-loop.ts";
import { surveyLoops, type Survey } from "../../storage/loops/survey-loops.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { bytesText } from "../../system/text/quantities.ts";
import { attemptWorktrees } from "../plan/attempt-worktrees.ts";

export interface Diagnosis {
  readonly what: string;
  readonly health: "good" | "warning" | "bad";
  readonly finding: string;
  /** What to do about it. */
  readonly remedy: string | null;
}

export async function diagnose(machine: Machine): Promise<readonly Diagnosis[]> {
  const project = findProject(machine.cwd);
  const survey = await surveyLoops(machine, project);
  return [
    nodeHealth(process.versions.node),
    await gitHealth(),
    stateHomeHealth(machine),
    fileSystemHealth(project),
    await roomHealth(machine, project),
    environmentHealth(machine),
    configHealth(machine),
    ...loopsHealth(survey),
    await treeHealth(machine, project, survey),
    ...(await worktreesHealth(machine)),
    projectsHealth(machine),
  ];
}

function nodeHealth(version: string): Diagnosis {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isGood = major > 20 || (major === 20 && minor >= 19);
  return isGood
    ? good("node", version)
    : bad("node", `${version} is too old`, "install Node.js 20.19 or newer");
}

async function gitHealth(): Promise<Diagnosis> {
  const version = await gitVersion();
  if (version === null)
    return bad("git", "was not found", "install git; git projects have no evidence without it");
  return good("git", version);
}

function stateHomeHealth({ home }: Pick<Machine, "home">): Diagnosis {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const trial = mkdtempSync(join(home, ".doctor-"));
    rmSync(trial, { recursive: true });
    return good("state home", home);
  } catch (error) {
    return bad(
      "state home",
      `${home} is not writable (${errnoOf(error) ?? "unknown"})`,
      "check its permissions, or set XDG_STATE_HOME",
    );
  }
}

/** The journal relies on atomic appends, which network file systems don't guarantee. */
function fileSystemHealth({ root }: Project): Diagnosis {
  try {
    accessSync(root, constants.W_OK);
  } catch {
    return bad("project", `${root} is not writable`, "check its permissions");
  }
  const type = fileSystemOf(root);
  if (type.isNetwork)
    return warning(
      "project",
      `${root} is on ${type.name}, a network file system`,
      "keep loops on a local disk; the journal supports nothing else",
    );
  return good("project", root);
}

/** Where proofs run, and which effects of a check outlive them. */
async function roomHealth({ home }: Pick<Machine, "home">, { root }: Project): Promise<Diagnosis> {
  const kept = "not thrown away: caches in HOME, /tmp, the network";
  const room = await findRoom(root, roomsFolder(home)).catch((error: unknown) => {
    return { type: "none", why: error instanceof Error ? error.message : String(error) } as const;
  });
  switch (room.type) {
    case "overlay":
      return good("clean room", `an overlay at the project's own path; ${kept}`);
    case "copy":
      return warning(
        "clean room",
        `a copy at another path; ${kept} (${room.why})`,
        "proofs are weak here, and nothing is repeated in a fresh place; on Linux, allow user namespaces and overlay mounts for strong ones",
      );
    case "none":
      return warning(
        "clean room",
        `none: ${room.why}`,
        "proofs that need one cannot run, so evidence stays weak",
      );
  }
}

function environmentHealth({ env }: Pick<Machine, "env">): Diagnosis {
  if (isDisabled(env))
    return warning(
      "environment",
      "LOOP_DISABLE is set, so loop holds no session",
      "unset LOOP_DISABLE and IDLE_LOOP_DISABLE",
    );
  const caller = callerOf(env);
  return good("environment", caller.kind === "agent" ? `inside ${caller.host}` : "a person's terminal");
}

function configHealth({ home, cwd }: Pick<Machine, "home" | "cwd">): Diagnosis {
  const found = findConfig(home, callerLocationAt(cwd));
  if (found.type === "none") return good("config", "no loop.config.json, which is fine");
  const name = configName(found.folder);
  switch (found.type) {
    case "unreadable":
      return bad("config", `${name} cannot be used: ${found.why}`, "correct it");
    case "untrusted":
      return warning("config", `${name} is not approved, so it is not used`, "loop trust");
    case "trusted":
      return good("config", `${name} is approved`);
  }
}

function loopsHealth({ found, ended }: Survey): readonly Diagnosis[] {
  return [
    good("loops", `${found.length + ended.length} here, ${found.filter(isOpen).length} open`),
    ...found.flatMap((each): readonly Diagnosis[] => {
      if (each.type === "aborted")
        return [
          bad(
            `loop ${each.id}`,
            `${each.why}: something other than loop changed its files`,
            `restore .loop/loops/${each.id} from a backup, or move it away and start anew`,
          ),
        ];
      if (each.type === "newer") return [warning(`loop ${each.id}`, each.why, "npm install -g loopwright")];
      if (each.type === "untrusted")
        return [
          warning(`loop ${each.id}`, "is not trusted here, so it holds nobody", `loop trust ${each.id}`),
        ];
      return [];
    }),
  ];
}

/** No git command runs in a folder that isn't trusted; opening a loop there counts as trust. */
async function treeHealth(
  machine: Pick<Machine, "git">,
  { root }: Project,
  { found, ended }: Survey,
): Promise<Diagnosis> {
  if (ended.length === 0 && !found.some((each) => each.type === "loop"))
    return good("tree", "not checked until a loop is opened here");
  const tree = await machine.git.readTree(root);
  if (tree === null)
    return bad(
      "tree",
      "reading its files takes too long, so no evidence counts",
      "look for very large or very many files that git does not ignore",
    );
  if (tree.doubts.length > 0)
    return warning("tree", tree.doubts.join("; "), "fix this, or completions stay weak");
  return good("tree", tree.digest.slice(0, 12));
}

async function worktreesHealth(machine: Machine): Promise<readonly Diagnosis[]> {
  const listed = await attemptWorktrees(machine);
  if (listed.length === 0) return [];
  const dead = listed.filter(({ state }) => state === "dead");
  const size = bytesText((dead.length === 0 ? listed : dead).reduce((sum, { use }) => sum + use.bytes, 0));
  if (dead.length === 0) return [good("worktrees", `${listed.length} of attempts, ${size}`)];
  return [
    warning(
      "worktrees",
      `${dead.length} of ${listed.length} are dead and take ${size}`,
      "loop worktrees --remove",
    ),
  ];
}

function projectsHealth(machine: Pick<Machine, "home">): Diagnosis {
  const known = knownProjects(machine.home);
  const gone = known.filter(({ root }) => !existsSync(root)).length;
  return good(
    "projects",
    `${known.length} known on this machine${gone === 0 ? "" : `, ${gone} of them gone`}`,
  );
}

function good(what: string, finding: string): Diagnosis {
  return { what, health: "good", finding, remedy: null };
}

function warning(what: string, finding: string, remedy: string): Diagnosis {
  return { what, health: "warning", finding, remedy };
}

function bad(what: string, finding: string, remedy: string): Diagnosis {
  return { what, health: "bad", finding, remedy };
}

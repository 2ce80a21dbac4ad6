import { below } from "../project-files.ts";
import { iniLines, sectionPart, ownObject, parseJson } from "../parts/formats.ts";
import { quoted } from "../shell/tokenize.ts";
import { callOf, want, type Call, type Follow, type Reader, type Survey } from "../survey.ts";

const TASKFILES = ["Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml"];
const MOST_LINES = 200;

/** Runners with their own file: tox, nox, task, deno task, turbo and nx. */
export const readTaskRunner: Reader = async (call, survey, follow) => {
  switch (call.program) {
    case "tox":
      await readTox(call, survey, follow);
      return true;
    case "nox":
      await readNox(call, survey, follow);
      return true;
    case "task":
    case "go-task":
      await readTaskfile(call, survey, follow);
      return true;
    case "deno":
      return readDenoTask(call, survey, follow);
    case "turbo":
    case "nx":
    case "lerna":
    case "wsrun":
    case "moon":
      await readMonorepo(call, survey, follow);
      return true;
    case "pre-commit":
    case "prek":
      want(survey, "config", below(call.folder, ".pre-commit-config.yaml"));
      return true;
    default:
      return false;
  }
};

async function readTox({ folder }: Call, survey: Survey, follow: Follow): Promise<void> {
  const path = below(folder, "tox.ini");
  for (const part of ["[tox]", "[testenv]"]) want(survey, "script", path, part);
  want(survey, "script", below(folder, "tox.toml"));
  want(survey, "script", below(folder, "pyproject.toml"), "[tool.tox]");
  want(survey, "script", below(folder, "setup.cfg"), "[tox:tox]");
  const lines = (sectionPart(iniLines((await survey.files.read(path)) ?? "", "testenv")) ?? "").split("\n");
  let isCommand = false;
  for (const line of lines.slice(0, MOST_LINES)) {
    const key = /^(\w+)\s*=\s*(.*)$/.exec(line);
    if (key !== null) isCommand = (key[1] ?? "").startsWith("commands");
    const command = (key === null ? line : (key[2] ?? ""))
      .replace(/^-\s*/, "")
      .replaceAll(/\{posargs:?([^}]*)\}/g, "$1");
    if (isCommand && command !== "") await follow({ line: command, folder });
  }
}

async function readNox({ folder }: Call, survey: Survey, follow: Follow): Promise<void> {
  const path = below(folder, "noxfile.py");
  want(survey, "script", path);
  const text = (await survey.files.read(path)) ?? "";
  for (const [, args = ""] of [...text.matchAll(/\.run\(([^)]{0,2000})\)/g)].slice(0, MOST_LINES)) {
    const words = [...args.matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].map(
      ([, double, single]) => double ?? single ?? "",
    );
    const next = callOf(words, folder);
    if (next !== null) await follow(next);
  }
}

async function readTaskfile({ words, folder }: Call, survey: Survey, follow: Follow): Promise<void> {
  for (const path of TASKFILES.map((name) => below(folder, name))) {
    want(survey, "script", path);
    const lines = ((await survey.files.read(path)) ?? "").split("\n");
    const wanted = words.slice(1).filter((word) => !word.startsWith("-"));
    let isInside = false;
    for (const line of lines) {
      const task = /^ {2}["']?([\w:.-]+)["']?:/.exec(line)?.[1];
      if (task !== undefined) isInside = wanted.length === 0 || wanted.includes(task);
      const item = /^\s*-\s*(?:cmd:\s*)?(.+)$|^\s*cmds?:\s*([^[\s].*)$|^ {2}[\w:.-]+:\s+(\S.*)$/.exec(line);
      const command = (item?.[1] ?? item?.[2] ?? item?.[3] ?? "").replace(/^(["'])(.*)\1$/, "$2");
      const called = /^task:\s*(\S+)/.exec(command)?.[1];
      if (called !== undefined) wanted.push(called);
      else if (isInside && command !== "") await follow({ line: command, folder });
    }
  }
}

async function readDenoTask({ words, folder }: Call, survey: Survey, follow: Follow): Promise<boolean> {
  const [, verb, name, ...args] = words;
  if (verb !== "task" || name === undefined) return false;
  for (const path of [below(folder, "deno.json"), below(folder, "deno.jsonc")]) {
    want(survey, "script", path, `tasks.${name}`);
    const task = ownObject(ownObject(parseJson((await survey.files.read(path)) ?? ""))["tasks"])[name];
    const line = typeof task === "string" ? task : ownObject(task)["command"];
    if (typeof line === "string") await follow({ line: [line, ...args.map(quoted)].join(" "), folder });
  }
  return true;
}

async function readMonorepo({ program, words, folder }: Call, survey: Survey, follow: Follow): Promise<void> {
  for (const name of [
    "turbo.json",
    "turbo.jsonc",
    "nx.json",
    "lerna.json",
    "project.json",
    ".moon/tasks.yml",
  ])
    want(survey, "config", below(folder, name));
  const names = words.slice(1).filter((word) => !/^-|^(?:run|run-many|affected|test)$/.test(word));
  const targets = words.includes("test") ? ["test", ...names] : names;
  for (const target of targets.slice(0, 10)) {
    const script = program === "nx" && target.includes(":") ? target.split(":")[1] : target;
    const next = callOf(["npm", "run", script ?? target, "--workspaces"], folder);
    if (next !== null) await follow(next);
  }
}

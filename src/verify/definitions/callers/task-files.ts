import { below } from "../project-files.ts";
import { iniLines, sectionPart, ownObject, parseJson } from "../parts/formats.ts";
import { quoted } from "../shell/tokenize.ts";
import { callOf, want, type Reader } from "../survey.ts";

const TASKFILES = ["Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml"];
const MOST_LINES = 200;

/** Runners with their own file. */
export const readTaskRunner: Reader = async (call, survey, follow) =>
  (await TASK_RUNNERS.get(call.program)?.(call, survey, follow)) ?? false;

const readTox: Reader = async ({ folder }, survey, follow) => {
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
  return true;
};

const readNox: Reader = async ({ folder }, survey, follow) => {
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
  return true;
};

const readTaskfile: Reader = async ({ words, folder }, survey, follow) => {
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
  return true;
};

const readDenoTask: Reader = async ({ words, folder }, survey, follow) => {
  const [, verb, name, ...args] = words;
  if (verb !== "task" || name === undefined) return false;
  for (const path of [below(folder, "deno.json"), below(folder, "deno.jsonc")]) {
    want(survey, "script", path, `tasks.${name}`);
    const task = ownObject(ownObject(parseJson((await survey.files.read(path)) ?? ""))["tasks"])[name];
    const line = typeof task === "string" ? task : ownObject(task)["command"];
    if (typeof line === "string") await follow({ line: [line, ...args.map(quoted)].join(" "), folder });
  }
  return true;
};

const readMonorepo: Reader = async ({ program, words, folder }, survey, follow) => {
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
  return true;
};

const readHooks: Reader = async ({ folder }, survey) => {
  want(survey, "config", below(folder, ".pre-commit-config.yaml"));
  return true;
};

const TASK_RUNNERS: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    tox: readTox,
    nox: readNox,
    task: readTaskfile,
    "go-task": readTaskfile,
    deno: readDenoTask,
    turbo: readMonorepo,
    nx: readMonorepo,
    lerna: readMonorepo,
    wsrun: readMonorepo,
    moon: readMonorepo,
    "pre-commit": readHooks,
    prek: readHooks,
  }),
);

import { pathIn, nameOf } from "../project-files.ts";
import { callOf, noteScript, noteSourceJudge, want } from "../survey.ts";
import type { Call, Follow, Reader, Survey } from "../survey.ts";
import { keyOf } from "../definition.ts";
import { isJudge, isNamedAsHelper } from "../test-files.ts";

const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ash", "ksh", "fish", "source", ".", "eval"]);

/** Shells: a line in their words, or a script of the project, whose lines are followed. */
export const readShell: Reader = async (call, survey, follow) => {
  const { program, words, folder, isCompared = false } = call;
  if (!SHELLS.has(program)) return false;
  const args = words.slice(1);
  if (program === "eval") {
    await follow({ line: args.join(" "), folder, isCompared });
    return true;
  }
  const flag = args.findIndex((word) => /^-[a-z]*c$/.test(word));
  if (flag !== -1) {
    const line = args.slice(flag + 1).find((word) => !/^[-+]|^pipefail$/.test(word)) ?? "";
    await follow({ line, folder, isCompared, stopsEarly: /e/.test(args[flag] ?? "") });
    return true;
  }
  const at = args.findIndex((word) => !/^[-+]|^pipefail$/.test(word));
  const file = args[at];
  if (args.slice(0, Math.max(at, 0)).some((word) => /^-[a-z]*n[a-z]*$/.test(word))) {
    survey.judgesSource = true; // It only reads the syntax of the file it names.
    noteSourceJudge(survey, "build", "shell");
    return true;
  }
  const path = file === undefined ? null : pathIn(folder, file, survey.root);
  if (path === null || path === "") return true;
  await followScript({ path, text: (await survey.files.read(path)) ?? "", call }, survey, follow);
  return true;
};

/** Programs whose words are whole lines, or names of scripts of the package. */
export const readSeveral: Reader = async ({ program, words, folder }, _survey, follow) => {
  const names = words.slice(1).filter((word) => !word.startsWith("-"));
  switch (program) {
    case "concurrently":
    case "start-server-and-test":
    case "conc":
      for (const line of names) await follow({ line: asScript(line), folder });
      return true;
    case "npm-run-all":
    case "npm-run-all2":
    case "run-s":
    case "run-p":
    case "wireit":
      for (const name of names) {
        const call = callOf(["npm", "run", ...name.split(/\s+/)], folder);
        if (call !== null) await follow(call);
      }
      return true;
    default:
      return false;
  }
};

function asScript(line: string): string {
  const script = /^(?:npm|pnpm|yarn|bun):(\S+)$/.exec(line)?.[1];
  if (script !== undefined) return `npm run ${script}`;
  return /^[\w:-]+$/.test(line) ? `npm run ${line}` : line;
}

/** What such a file sets applies to everything after it. */
const SETS_UP = /env|setup|config|vars|activate/i;

/**
 * A shell script of the project. It judges with its own exit code, unless something else compares what it does: then it is the
 * work, unless its name or what it calls says that it judges. So is a file that is only read into another script: the functions
 * that the script tests.
 */
export async function followScript(
  { path, text, call }: { readonly path: string; readonly text: string; readonly call: Call },
  survey: Survey,
  follow: Follow,
): Promise<void> {
  const runs = survey.runs.length;
  const judgedSource = survey.judgesSource;
  const isReadIn = call.program === "source" || call.program === ".";
  await follow({ line: text, folder: call.folder });
  const callsJudges = survey.runs.length > runs || survey.judgesSource !== judgedSource;
  const isHelper = isJudge(path) || isNamedAsHelper(path) || (isReadIn && SETS_UP.test(nameOf(path)));
  const judgesItself = call.isCompared !== true && (!isReadIn || !survey.has.has(path));
  if (judgesItself || isHelper || callsJudges) want(survey, "script", path);
  // What it calls ends before it does.
  if (!isReadIn && survey.wanted.has(keyOf({ path, part: null }))) noteScript(survey, call, path);
}

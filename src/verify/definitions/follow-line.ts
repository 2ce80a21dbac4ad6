import { readMake } from "./callers/make.ts";
import { readInterpreter, readNodeOptions, readProjectFile } from "./callers/interpreters.ts";
import { readComparison, noteFolders, noteSearch } from "./callers/comparisons.ts";
import { readPackageManager } from "./callers/package-scripts.ts";
import { readSeveral, readShell } from "./callers/shells.ts";
import { readTaskRunner } from "./callers/task-files.ts";
import { readTool } from "./callers/tools.ts";
import { readWrapper } from "./callers/wrappers.ts";
import { pathIn } from "./project-files.ts";
import { isOutputCompared } from "./shell/captured-output.ts";
import { comparedCommands, callsNothing, simpleCommands } from "./shell/simple-commands.ts";
import { hidesInLine } from "./shell/hidden-exit-code.ts";
import { callOf, type Call, type Follow, type Line, type Reader, type Survey } from "./survey.ts";

const READERS: readonly Reader[] = [
  readWrapper,
  readShell,
  readSeveral,
  readPackageManager,
  readMake,
  readTaskRunner,
  readInterpreter,
  readComparison,
];

/** Programs that only inspect or print: none of them runs tests. */
const LOOKERS = new Set(
  "[ [[ test true false : echo printf grep egrep fgrep rg ag cat ls stat head tail wc sort uniq cut tr sed awk diff cmp find jq yq exit set export read sleep wait kill mkdir rm cp mv touch which type curl wget git".split(
    " ",
  ),
);

/** Follows a command line to everything it calls. Each call is followed once. */
export function follower(survey: Survey): Follow {
  const follow: Follow = async (next) => {
    const what = "line" in next ? `\0${next.line}` : next.words.join("\0");
    const key = `${next.isCompared === true}\0${next.folder}\0${what}`;
    if (survey.callsLeft <= 0 || survey.seen.has(key)) return;
    survey.callsLeft -= 1;
    survey.seen.add(key);
    await ("line" in next ? followLine(next, survey, follow) : followCall(next, survey, follow));
  };
  return follow;
}

async function followCall(call: Call, survey: Survey, follow: Follow): Promise<void> {
  if (!LOOKERS.has(call.program)) {
    survey.callsPrograms = true;
    survey.lastScript = null;
    survey.code = null;
  }
  noteSearch(call, survey);
  const isTool = await readTool(call, survey);
  if (!isTool) noteFolders(call, survey);
  for (const reader of READERS) if (await reader(call, survey, follow)) return;
  if (!isTool) await readProjectFile(call, survey, follow);
}

async function followLine(next: Line, survey: Survey, follow: Follow): Promise<void> {
  const isHiding = mayHide(next);
  if (isHiding) survey.hiding += 1;
  await followCommands(next, survey, follow);
  if (isHiding) survey.hiding -= 1;
}

function mayHide({ line, stopsEarly = false }: Line): boolean {
  return hidesInLine(line, { stopsEarly }).length > 0;
}

async function followCommands(
  { line, folder: start, isCompared: isAllCompared = false }: Line,
  survey: Survey,
  follow: Follow,
): Promise<void> {
  const folders = [start];
  noteWritten(line, start, survey);
  const commands = simpleCommands(line);
  const compared = comparedCommands(commands);
  for (const [at, command] of commands.entries()) {
    // A change of folder in a subshell ends with it.
    folders.length = Math.min(folders.length, command.depth + 1);
    const folder = folders.at(-1) ?? start;
    const isCompared = isAllCompared || compared[at] === true;
    survey.hiding += 1;
    for (const inner of command.inner)
      await follow({ line: inner, folder, isCompared: isCompared || isOutputCompared(commands, at) });
    survey.hiding -= 1;
    for (const [name, value] of command.assignments) {
      if (name === "NODE_OPTIONS") readNodeOptions(value, folder, survey);
    }
    if (callsNothing(command)) continue;
    const [program, target] = command.words;
    if (program === "cd" || program === "pushd") {
      const next = pathIn(folder, target ?? "", survey.root) ?? folder;
      while (folders.length < command.depth) folders.push(folder);
      folders[command.depth] = next;
      continue;
    }
    const call = callOf(command.words[0] === "export" ? [] : command.words, folder);
    if (call === null) continue;
    const isForgotten = command.isCondition || command.negated || command.after === "&";
    if (isForgotten) survey.hiding += 1;
    await follow({ ...call, isCompared });
    if (isForgotten) survey.hiding -= 1;
  }
}

const WRITES = />{1,2}\|?[ \t]*["']?([\w./-]{1,200})|\btee[ \t]+(?:-a[ \t]+)?([\w./-]{1,200})/g;

function noteWritten(line: string, folder: string, survey: Survey): void {
  for (const [, redirected, copied] of line.matchAll(WRITES)) {
    const path = pathIn(folder, redirected ?? copied ?? "", survey.root);
    if (path !== null) survey.written.add(path);
  }
}

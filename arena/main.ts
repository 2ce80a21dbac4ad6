import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { playAll } from "./arena.ts";
import { fillIn } from "./document.ts";
import { ECOSYSTEMS } from "./ecosystems/ecosystems.ts";
import { asLine, fromLines } from "./kept.ts";
import { playCounsels, playReviews, playWholes } from "./judges/judges.ts";
import { counsellorsTable, reviewersTable, wholeTable } from "./judges/tables.ts";
import type { Play, Result } from "./play.ts";
import { partsOf, publish } from "./publish.ts";
import { nameOf, selectDeep, selectWide } from "./select.ts";
import { verdictOf } from "./tables.ts";
import { loadTasks } from "./task.ts";

const USAGE = `npm run arena -- [options]
  --wide            only the ecosystems: each kind of work and each mechanism in them
  --deep            only the many endings of the tasks for node:test, vitest and pytest
  --full            every deep ending on every task that it makes sense for
  --only PATTERN    of TASK · ENDING · GATE, as a regular expression
  --ecosystem NAME  one of them (repeatable): ${ECOSYSTEMS.map(({ name }) => name).join(", ")}
  --judges          reviewers and counsellors, good and bad ones, instead of gates
  --json            each result as a line of JSON, instead of tables
  --from FILE       what such lines say, instead of playing (repeatable)
  --write           put the tables into docs/arena.md, and the figures that the README and docs/compared.md quote
  --keep            leave the projects where they are
`;

/** What was played; how it is kept and written doesn't matter. */
const OPTIONS = process.argv
  .slice(2)
  .filter((option, at, all) => option !== "--write" && option !== "--from" && all[at - 1] !== "--from");

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      full: { type: "boolean", default: false },
      only: { type: "string" },
      ecosystem: { type: "string", multiple: true },
      wide: { type: "boolean", default: false },
      deep: { type: "boolean", default: false },
      judges: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      from: { type: "string", multiple: true },
      write: { type: "boolean", default: false },
      keep: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return print(USAGE);
  if (values.judges) return judge(values.write);
  const names = ECOSYSTEMS.map(({ name }) => name);
  const selection = {
    isFull: values.full,
    ecosystems: new Set(names.filter((name) => values.ecosystem?.includes(name) ?? true)),
    only: values.only === undefined ? null : new RegExp(values.only, "i"),
  };
  const deep = values.wide ? [] : selectDeep(loadTasks("arena/tasks"), selection);
  const wide = values.deep ? [] : selectWide(ECOSYSTEMS, selection);
  const plays = [...deep, ...wide];
  const results =
    values.from === undefined
      ? await played(plays, values.keep)
      : fromLines(values.from.map((path) => readFileSync(path, "utf8")).join(""), plays);
  if (values.json) return print(results.map((result) => `${asLine(result)}\n`).join(""));
  const isWide = new Set(wide);
  const all = {
    deep: results.filter(({ play }) => !isWide.has(play)),
    wide: results.filter(({ play }) => isWide.has(play)),
    run: describeRun(plays, results),
  };
  print(`${Object.values(partsOf(all)).join("\n\n")}\n`);
  if (values.write && process.exitCode === undefined) publish(all, say);
}

async function played(plays: readonly Play[], keeps: boolean): Promise<readonly Result[]> {
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const results = await playAll(plays, { tell: say, tellResult: tellOf, keeps, signal: interrupted.signal });
  if (interrupted.signal.aborted) process.exitCode = 130;
  return results;
}

async function judge(isWritten: boolean): Promise<void> {
  const { places, reviewed } = await playReviews(undefined, say);
  const parts = {
    reviewers: reviewersTable(places, reviewed),
    counsellors: counsellorsTable(await playCounsels()),
    reviewed: wholeTable(await playWholes(say)),
  };
  print(`${Object.values(parts).join("\n\n")}\n`);
  if (isWritten) fillIn("docs/arena.md", parts);
}

/** What the figures rest on. */
function describeRun(plays: readonly Play[], results: readonly Result[]): string {
  const missing = [...new Set(plays.map(({ task }) => task.ecosystem))].filter(
    (name) => !results.some(({ play }) => play.task.ecosystem === name),
  );
  const tasks = new Set(results.map(({ play }) => play.task)).size;
  const without = missing.length === 0 ? "" : `, without ${missing.join(" and ")}`;
  const command = ["npm run arena", ...(OPTIONS.length === 0 ? [] : ["--"]), ...OPTIONS].join(" ");
  return `\`${command}\`: ${results.length} plays of ${tasks} tasks on Node ${process.versions.node}${without}.`;
}

function tellOf(result: Result, done: number, of: number): void {
  say(
    `${done}/${of}  ${nameOf(result.play)}: ${verdictOf(result)} after ${result.turns} turns, ${result.addedSeconds.toFixed(1)} s`,
  );
}

function print(text: string): void {
  process.stdout.write(text);
}

/** Beside the results, so that those can be piped. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

void main();

import { parseArgs } from "node:util";
import { playAll } from "./arena.ts";
import { fillIn } from "./document.ts";
import { playCounsels, playReviews, playWholes } from "./judges/judges.ts";
import { counsellorsTable, reviewersTable, wholeTable } from "./judges/tables.ts";
import type { Play, Result } from "./play.ts";
import { quotesOf } from "./quotes.ts";
import { scoresOf } from "./score.ts";
import { nameOf, selectPlays } from "./select.ts";
import { endingsTable, gatesTable, remarks, unseenTable, verdictOf } from "./tables.ts";
import { loadTasks, type Runner } from "./task.ts";

const USAGE = `npm run arena -- [options]
  --full            every ending on every task that it makes sense for
  --only PATTERN    of TASK · ENDING · GATE, as a regular expression
  --runner NAME     node, vitest or pytest (repeatable)
  --judges          reviewers and counsellors, good and bad ones, instead of gates
  --json            each result as a line of JSON, instead of tables
  --write           put the tables into docs/arena.md, and the figures that the README and docs/compared.md quote
  --keep            leave the projects where they are
`;

const OPTIONS = process.argv.slice(2).filter((option) => option !== "--write");
const RUNNERS: readonly Runner[] = ["node", "vitest", "pytest"];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      full: { type: "boolean", default: false },
      only: { type: "string" },
      runner: { type: "string", multiple: true },
      judges: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      keep: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return print(USAGE);
  if (values.judges) return judge(values.write);
  const plays = selectPlays(loadTasks("arena/tasks"), {
    isFull: values.full,
    runners: new Set(RUNNERS.filter((runner) => values.runner?.includes(runner) ?? true)),
    only: values.only === undefined ? null : new RegExp(values.only, "i"),
  });
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const results = await playAll(plays, {
    ...{ tell: say, tellResult: tellOf },
    ...{ keeps: values.keep, signal: interrupted.signal },
  });
  if (interrupted.signal.aborted) process.exitCode = 130;
  if (values.json) return print(results.map((result) => `${JSON.stringify(plainly(result))}\n`).join(""));
  const scores = scoresOf(results);
  const parts = {
    run: describeRun(plays, results),
    gates: gatesTable(scores),
    endings: endingsTable(results),
    unseen: unseenTable(results),
    remarks: remarks(scores),
  };
  print(`${Object.values(parts).join("\n\n")}\n`);
  if (!values.write || interrupted.signal.aborted) return;
  fillIn("docs/arena.md", parts);
  const quotes = quotesOf(scores);
  if (quotes === null)
    return say("The README and docs/compared.md stay as they are: not all gates were played.");
  fillIn("README.md", { quote: quotes.readme });
  fillIn("docs/compared.md", { quote: quotes.comparison });
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
  const missing = RUNNERS.filter(
    (runner) =>
      plays.some(({ task }) => task.runner === runner) &&
      !results.some(({ play }) => play.task.runner === runner),
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

function plainly({ play, ...result }: Result): object {
  return {
    task: play.task.name,
    ending: play.ending.name,
    family: play.ending.family,
    needs: play.ending.needs ?? null,
    gate: play.gate.name,
    holdout: play.withHoldout,
    ...result,
  };
}

function print(text: string): void {
  process.stdout.write(text);
}

/** Beside the results, so that those can be piped. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

void main();

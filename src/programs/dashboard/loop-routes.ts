import type { IncomingMessage, ServerResponse } from "node:http";
import * as v from "valibot";
import type { LoopId } from "../../core/loop/id.ts";
import { parseLoopId } from "../../core/loop/id.ts";
import type { JournalEntry } from "../../core/events/event.ts";
import { AT_THE_BEGINNING } from "../../storage/journal/journal.ts";
import { entriesOf } from "../../storage/loops/journal-entries.ts";
import { inspectLoop, type KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { eventText } from "../../views/terminal/event-text.ts";
import { actionSchema, runCommands, type Action } from "./actions.ts";
import { answer, answerJson, readJson } from "./answers.ts";
import type { Place } from "./board.ts";
import { approvedIn, commandsOf } from "./commands.ts";
import { DECIDED, decisionOf, type Decided } from "./decision.ts";
import type { Details } from "./detail.ts";
import { exportable, exportedHtml } from "./export-loop.ts";
import type { DashboardOptions } from "./server.ts";
import { reviewedOf } from "./reviewed.ts";
import { Stream } from "./stream.ts";
import { readTurn } from "./turn-files.ts";
import { changesBehindClaims } from "../../engine/lifecycle/iteration-changes.ts";
import { workOf } from "./work.ts";

/** One line of the log view. */
export interface LogLine {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly text: string;
}

const requestSchema = v.object({
  /** The last record that was on screen. */
  seq: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  /** Of what the dialog showed; null: it showed nothing that could change. */
  decision: v.nullable(v.pipe(v.string(), v.maxLength(100))),
  action: actionSchema,
});

const MOST_LINES = 500;
const LOOK_MS = 1_000;
const MOST_STREAMS = 16;

/** Everything about one loop. */
export class LoopRoutes {
  readonly #options: DashboardOptions;
  readonly #details: Details;
  readonly #streams = new Set<Stream>();

  constructor(options: DashboardOptions, details: Details) {
    this.#options = options;
    this.#details = details;
  }

  close(): void {
    for (const stream of this.#streams) stream.end();
  }

  async answer(request: IncomingMessage, response: ServerResponse, url: URL, place: Place): Promise<void> {
    const [what = "", ...rest] = url.pathname.split("/").slice(5);
    if (request.method === "POST")
      return what === "act"
        ? this.#act(request, response, place)
        : answerJson(response, 405, { error: "GET only." });
    switch (what) {
      case "":
        return answerJson(response, 200, { key: place.key, view: await this.#details.viewOf(place) });
      case "events":
        return this.#stream(response, place, Number(url.searchParams.get("after") ?? 0));
      case "log":
        return this.#log(response, url, place);
      case "turn":
        return this.#turn(response, url, place, rest[0] ?? "");
      case "work":
        return this.#known(response, place, async (known) => workOf(this.#options.machine, known));
      case "done":
        return this.#known(response, place, async (known) =>
          changesBehindClaims(this.#options.machine, known),
        );
      case "review":
        return this.#known(response, place, async (known) => reviewedOf(this.#options.machine, known));
      case "decision":
        return this.#decision(response, url, place);
      case "export":
        return this.#export(response, place);
      default:
        return answerJson(response, 404, { error: "Not found." });
    }
  }

  /** Only a loop that is trusted here shows what is in it. */
  async #known(
    response: ServerResponse,
    { project, id }: Place,
    use: (known: KnownLoop) => Promise<unknown>,
  ): Promise<void> {
    const found = await inspectLoop(this.#options.machine, project, id);
    if (found.type !== "loop") return answerJson(response, 404, { error: "It can't be shown here." });
    return answerJson(response, 200, await use(found));
  }

  async #log(response: ServerResponse, url: URL, place: Place): Promise<void> {
    const before = Number(url.searchParams.get("before") ?? Number.MAX_SAFE_INTEGER);
    return this.#known(response, place, async ({ live }) => {
      let lines: LogLine[] = [];
      let first = 0;
      await live.journal.follow(AT_THE_BEGINNING).next((record, cursor) => {
        if (first === 0) first = cursor.seq;
        if (cursor.seq >= before) return;
        lines.push(...entriesOf(record, cursor).map(logLine));
        if (lines.length > 2 * MOST_LINES) lines = lines.slice(-MOST_LINES);
      });
      const shown = lines.slice(-MOST_LINES);
      return { lines: shown, hasMore: (shown[0]?.seq ?? first) > first };
    });
  }

  async #turn(response: ServerResponse, url: URL, place: Place, turn: string): Promise<void> {
    const offset = Number(url.searchParams.get("offset") ?? Number.NaN);
    const part = url.searchParams.get("part") === "prompt" ? "prompt" : "output";
    return this.#known(response, place, async () =>
      readTurn(place.project, place.id, turn, part, Number.isSafeInteger(offset) ? offset : null),
    );
  }

  async #decision(response: ServerResponse, url: URL, place: Place): Promise<void> {
    const what = DECIDED.find((each) => each === url.searchParams.get("of"));
    if (what === undefined) return answerJson(response, 400, { error: "Unknown decision." });
    const iteration = Number(url.searchParams.get("iteration") ?? 0);
    const loop = parseLoopId(url.searchParams.get("loop")) ?? place.id;
    return answerJson(response, 200, await this.#decided(place, loop, what, iteration));
  }

  async #decided(
    { project }: Place,
    loop: LoopId,
    what: Decided,
    iteration: number,
  ): ReturnType<typeof decisionOf> {
    return decisionOf(this.#at(project.root), loop, what, iteration === 0 ? null : iteration);
  }

  async #export(response: ServerResponse, { project, id }: Place): Promise<void> {
    const { machine } = this.#options;
    const found = await inspectLoop(machine, project, id);
    if (found.type !== "loop") return answerJson(response, 404, { error: "It can't be shown here." });
    const html = exportedHtml(this.#options, await exportable(machine, found));
    answer(response, 200, "text/html; charset=utf-8", html, {
      "Content-Disposition": `attachment; filename="${id}.html"`,
    });
  }

  /** As if somebody stood in the project. */
  #at(cwd: string): Machine {
    return { ...this.#options.machine, cwd };
  }

  async #act(request: IncomingMessage, response: ServerResponse, place: Place): Promise<void> {
    const { machine, cli, readOnly } = this.#options;
    if (readOnly !== null) return answerJson(response, 403, { error: readOnly });
    const parsed = v.safeParse(requestSchema, await readJson(request));
    if (!parsed.success) return answerJson(response, 400, { error: "Unknown action." });
    const { action, seq, decision } = parsed.output;
    const view = await this.#details.viewOf(place);
    if (view.seq !== seq)
      return answerJson(response, 409, { error: "The loop moved on meanwhile; look again.", view });
    const loop = parseLoopId(approvedIn(view.needs?.commands ?? [])) ?? place.id;
    if (!(await this.#isAsShown(place, loop, action, decision)))
      return answerJson(response, 409, { error: "Files changed while you were reading; look again.", view });
    const hasBegun = async (): Promise<boolean> => (await this.#details.viewOf(place)).driver?.alive === true;
    const ran = await runCommands(
      { machine, cli, cwd: place.project.root },
      commandsOf(action, {
        id: place.id,
        approved: loop,
        wasRun: view.driver !== null,
        isPaused: view.phase === "paused",
      }),
      hasBegun,
    );
    return answerJson(response, ran.isDone ? 200 : 422, {
      ...(ran.isDone ? {} : { error: ran.text }),
      text: ran.text,
      view: await this.#details.viewOf(place),
    });
  }

  /** What is pressed is what was read. */
  async #isAsShown(place: Place, loop: LoopId, action: Action, shown: string | null): Promise<boolean> {
    const what = DECIDED.find((each) => each === action.type);
    if (what === undefined) return true;
    const iteration = action.type === "undo" ? action.iteration : 0;
    const now = await this.#decided(place, what === "approve" ? loop : place.id, what, iteration);
    return now.digest === shown;
  }

  /** The records after a sequence, and each that follows; the page drops what it has. */
  async #stream(response: ServerResponse, { project, id }: Place, after: number): Promise<void> {
    const { machine } = this.#options;
    const found = await inspectLoop(machine, project, id);
    if (found.type !== "loop") return answerJson(response, 404, { error: "It can't be shown here." });
    if (this.#streams.size >= MOST_STREAMS)
      return answerJson(response, 503, { error: "Too many pages are open; close one and load this again." });
    const follower = found.live.journal.follow(AT_THE_BEGINNING);
    const look = async (): Promise<void> => {
      let news: LogLine[] = [];
      let last = 0;
      await follower.next((record, cursor) => {
        if (cursor.seq <= after) return;
        last = cursor.seq;
        news.push(...entriesOf(record, cursor).map(logLine));
        if (news.length > 2 * MOST_LINES) news = news.slice(-MOST_LINES);
      });
      if (last > 0) stream.send("records", String(last), JSON.stringify(news.slice(-MOST_LINES)));
    };
    const timer = setInterval(() => {
      // A journal that is gone or damaged is told by the board.
      look().catch(() => stream.end());
    }, LOOK_MS);
    const stream = new Stream(response, () => {
      clearInterval(timer);
      this.#streams.delete(stream);
    });
    this.#streams.add(stream);
    await look();
  }
}

const LONGEST_LINE = 400;

function logLine({ seq, at, event }: JournalEntry): LogLine {
  return {
    seq,
    at: new Date(at).toISOString(),
    type: event.type,
    text: eventText(event).slice(0, LONGEST_LINE),
  };
}

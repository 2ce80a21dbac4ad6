import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { LoopId } from "../../core/loop/id.ts";
import { isCommitDue } from "../../core/loop/commit.ts";
import { isEnded } from "../../core/loop/loop.ts";
import { projectsOf, viewOfUnreadable, asItIsNow } from "../../engine/lifecycle/status.ts";
import { factsOfLoop, JournalStory, type AttemptMemory } from "../../engine/lifecycle/loop-facts.ts";
import type { Project } from "../../storage/home/project.ts";
import { AT_THE_BEGINNING, type Follower } from "../../storage/journal/journal.ts";
import { inspectLoop, isAbandoned, isAttempt, type KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { boardRow, type BoardRow, type QuotedLine } from "../../views/board.ts";
import { statusView } from "../../views/status.ts";
import { decisionOf } from "./decision.ts";
import { workOf } from "./work.ts";

/** A loop of some project, by the words of the page's addresses. */
export interface Place {
  readonly key: string;
  readonly project: Project;
  readonly id: LoopId;
}

interface Followed {
  readonly place: Place;
  readonly follower: Follower;
  seq: number;
  row: BoardRow | null;
  /** The row as text, to tell whether it changed. */
  text: string;
  isEnded: boolean;
  /** Not trusted, damaged or newer: what changes that is in no journal. */
  isUnreadable: boolean;
  isAttempt: boolean;
  isDriven: boolean;
  /** Kept while a loop is driven, so that a look only reads what is new. */
  story: JournalStory | null;
  readonly attempts: AttemptMemory;
}

const LOOK_MS = 1_000;
/** Loops that have ended, and projects with many of them, are looked at less often. */
const SELDOM_MS = 30_000;
const FEW_LOOPS = 200;

interface BoardListener {
  readonly changed: (rows: readonly BoardRow[]) => void;
  readonly gone: (keys: readonly string[]) => void;
}

/** All loops of this machine, a row each, kept up to date while somebody looks. */
export class Board {
  readonly #machine: Machine;
  readonly #followed = new Map<string, Followed>();
  readonly #listener: BoardListener;
  #watchers = 0;
  #isReading = true;
  #lookedAtAll = 0;
  #looking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(machine: Machine, listener: BoardListener) {
    this.#machine = machine;
    this.#listener = listener;
  }

  /** Until the first look is over. */
  get isReading(): boolean {
    return this.#isReading;
  }

  rows(): readonly BoardRow[] {
    return [...this.#followed.values()].flatMap(({ row }) => row ?? []);
  }

  /** Names are looked up, never joined to a path. null: there is no such loop. */
  async placeOf(key: string): Promise<Place | null> {
    if (!this.#followed.has(key)) await this.#findLoops();
    return this.#followed.get(key)?.place ?? null;
  }

  /** Something was done to it that may be in no journal. */
  async lookAt({ key }: Place): Promise<void> {
    await this.#looking;
    const each = this.#followed.get(key);
    if (each === undefined) return;
    Object.assign(each, { seq: -1, isEnded: false, isUnreadable: false });
    await this.look();
  }

  /** Looks again and again as long as somebody watches. Returns how to end that. */
  watch(): () => void {
    this.#watchers += 1;
    this.#timer ??= setInterval(() => void this.look(), LOOK_MS);
    return () => {
      this.#watchers -= 1;
      if (this.#watchers === 0) this.close();
    };
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** One look at a time; who asks meanwhile gets the one that is under way. */
  async look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => (this.#looking = null));
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    const now = this.#machine.now();
    const isThorough = now - this.#lookedAtAll >= SELDOM_MS;
    if (isThorough) this.#lookedAtAll = now;
    if (isThorough || this.#followed.size < FEW_LOOPS) await this.#findLoops();
    const changed: BoardRow[] = [];
    for (const each of this.#followed.values()) {
      if ((each.isEnded || each.isUnreadable) && each.row !== null && !isThorough) continue;
      const row = await this.#refresh(each);
      if (row !== null) changed.push(row);
    }
    this.#isReading = false;
    if (changed.length > 0) this.#listener.changed(changed);
  }

  async #findLoops(): Promise<void> {
    const found = new Set<string>();
    for (const project of projectsOf(this.#machine)) {
      const name = projectName(project.root);
      for (const id of await this.#machine.journals(project).list()) {
        const key = `${name}/${id}`;
        found.add(key);
        if (!this.#followed.has(key)) this.#followed.set(key, this.#follow({ key, project, id }));
      }
    }
    const gone = [...this.#followed.keys()].filter((key) => !found.has(key));
    for (const key of gone) this.#followed.delete(key);
    if (gone.length > 0) this.#listener.gone(gone);
  }

  #follow(place: Place): Followed {
    const follower = this.#machine.journals(place.project).of(place.id).follow(AT_THE_BEGINNING);
    const nothing = { seq: -1, row: null, text: "", story: null, attempts: new Map() };
    return {
      place,
      follower,
      isEnded: false,
      isUnreadable: false,
      isAttempt: false,
      isDriven: false,
      ...nothing,
    };
  }

  /** The row, if it changed. */
  async #refresh(each: Followed): Promise<BoardRow | null> {
    const seq = await seqOf(each);
    if (seq === each.seq && (each.isAttempt || !each.isDriven) && !each.isUnreadable) return null;
    each.seq = seq;
    const row = await this.#rowOf(each);
    if (row === null) return null;
    const text = JSON.stringify(row);
    if (text === each.text) return null;
    each.row = row;
    each.text = text;
    return row;
  }

  /** null: an attempt, which its plan shows. */
  async #rowOf(each: Followed): Promise<BoardRow | null> {
    const { project, id, key } = each.place;
    const name = basename(project.root);
    const found = await inspectLoop(this.#machine, project, id);
    if (isAttempt(found)) {
      each.isAttempt = true;
      return null;
    }
    each.isUnreadable = found.type !== "loop";
    if (found.type !== "loop") {
      return boardRow(viewOfUnreadable(found, project.root), name, key);
    }
    const { loop } = found.live;
    const isDue = isCommitDue(loop);
    each.isEnded = isEnded(loop) && !isDue;
    each.isDriven = loop.phase === "active" || isDue;
    each.story ??= new JournalStory(found);
    const facts = await factsOfLoop(this.#machine, found, each.story, each.attempts);
    const view = statusView(await asItIsNow(this.#machine, found), null, isAbandoned(loop), facts);
    if (!each.isDriven) {
      each.story = null;
      each.attempts.clear();
    }
    const row = boardRow(view, name, key);
    const quote = await decidedLines({ ...this.#machine, cwd: project.root }, found, row.needs);
    return quote.length === 0 ? row : { ...row, quote };
  }
}

const MOST_QUOTED = 8;

/** Where a change is what has to be decided on, its lines. */
async function decidedLines(
  machine: Machine,
  known: KnownLoop,
  needs: BoardRow["needs"],
): Promise<readonly QuotedLine[]> {
  if (needs?.kind !== "approval" && needs?.kind !== "must-not") return [];
  try {
    const files =
      needs.kind === "approval"
        ? (await decisionOf(machine, known.id, "approve", null)).files
        : (await workOf(machine, known)).files.filter(({ path }) => needs.detail?.includes(path) === true);
    return files.flatMap(({ lines }) => lines.filter(({ sign }) => sign !== " ")).slice(0, MOST_QUOTED);
  } catch {
    return [];
  }
}

/** Zero: it can't be read, which the row says. */
async function seqOf({ follower }: Followed): Promise<number> {
  try {
    return (await follower.next(() => undefined)).seq;
  } catch {
    return 0;
  }
}

/** Readable, and of this very folder: two projects may have the same name. */
export function projectName(root: string): string {
  const words = basename(root)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40);
  return `${words === "" ? "project" : words}-${createHash("sha256").update(root).digest("hex").slice(0, 8)}`;
}

import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { closeAbandonedQuestions, askerOfLoop } from "../../src/engine/asking/loop-account.ts";
import type { Asker } from "../../src/core/questions/question.ts";
import type { LoopEvent } from "../../src/core/events/event.ts";
import type { SessionId } from "../../src/core/loop/id.ts";
import { AT_THE_BEGINNING } from "../../src/storage/journal/journal.ts";
import { readJournal } from "../../src/storage/journal/file/read.ts";
import type { KnownLoop } from "../../src/storage/loops/known-loop.ts";
import type { Machine } from "../../src/storage/loops/machine.ts";
import { createMachine } from "../../src/storage/loops/machine.ts";
import type { AgentChoice } from "../../src/engine/run/agent-choice.ts";
import { rehearsalOf } from "../../src/engine/run/agent-choice.ts";
import { openAskingLoop } from "./asking-loop.ts";
import type { Policy } from "./asking-loop.ts";
import { CLI, Stage } from "./driven.ts";
import type { PlayedTurn } from "./driven.ts";
import { PATIENT } from "./patience.ts";

export const GOOD: PlayedTurn = { say: '{"verdict":"good","score":7}', usd: 0.25 };

/** A loop with stages that this process drives, and an agent that is played. */
export class AskingStage extends Stage {
  readonly machine: Machine;
  readonly session = `run-${randomUUID()}` as SessionId;

  constructor(files: { readonly [path: string]: string } = { "README.md": "A project\n" }) {
    super(files);
    this.machine = createMachine(this.env, this.root);
  }

  get scripts(): string {
    return join(this.home, "scripts");
  }

  /** Turns by question, or by purpose for all of it. */
  plays(name: string, turns: readonly PlayedTurn[]): void {
    mkdirSync(this.scripts, { recursive: true });
    writeFileSync(join(this.scripts, `${name}.json`), JSON.stringify({ turns }));
  }

  async opened(policy: Policy = {}): Promise<KnownLoop> {
    return openAskingLoop(this.machine, this.session, policy);
  }

  asker({ live }: KnownLoop, choice: Partial<AgentChoice> = {}): Asker {
    const { machine, session } = this;
    return askerOfLoop({
      machine,
      live,
      run: session,
      choice: { ...rehearsalOf(this.scripts), ...choice },
      cli: CLI,
    });
  }

  async recovers({ live }: KnownLoop): Promise<void> {
    await closeAbandonedQuestions(this.machine, live, this.session);
  }

  /** What the journal says of questions and money, record by record. */
  asked(): readonly (readonly LoopEvent[])[] {
    const records: LoopEvent[][] = [];
    readJournal(this.journal(this.id), AT_THE_BEGINNING, ({ events }) => void records.push([...events]));
    return records
      .map((events) => events.filter(({ type }) => type.startsWith("question.") || type === "cost.charged"))
      .filter(({ length }) => length > 0);
  }

  /** What the turns of questions have printed so far. */
  printed(): string {
    const loops = join(this.root, ".loop", "loops");
    const [id = ""] = existsSync(loops) ? readdirSync(loops) : [];
    const runs = join(loops, id, "runs");
    const names = existsSync(runs) ? readdirSync(runs) : [];
    const files = names.map((name) => join(runs, name, "output.jsonl"));
    return files.map((file) => (existsSync(file) ? readFileSync(file, "utf8") : "")).join("");
  }

  async untilAsked(): Promise<void> {
    await vi.waitUntil(() => this.printed() !== "", PATIENT);
  }

  /** What is left of worktrees and rooms. */
  leftovers(): readonly string[] {
    const state = join(this.home, "state", "loopwright");
    return ["worktrees", "rooms"].flatMap((name) => {
      const folder = join(state, name);
      return existsSync(folder)
        ? readdirSync(folder, { recursive: true })
            .map(String)
            .filter((each) => each.includes("/") || name === "rooms")
        : [];
    });
  }
}

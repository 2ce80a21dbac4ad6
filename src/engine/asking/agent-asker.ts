import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SessionId } from "../../core/loop/id.ts";
import type { PriceTable } from "../../agents/cost/price.ts";
import type { JsonSchema, Turn } from "../../agents/drivers/driver.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { startGuardian } from "../../system/process/guardian.ts";
import { markWithRun } from "../../system/process/run-processes.ts";
import type { AgentChoice } from "../run/agent-choice.ts";
import { charge, reportOf, type ReportedTurn } from "../run/turn-report.ts";
import { runAgent } from "../run/run-agent.ts";
import { redactor } from "../../system/secrets/redact.ts";
import type { Account, OpenEntry } from "./loop-account.ts";
import {
  answerForm,
  LONGEST_QUESTION,
  questionPrompt,
  repairPrompt,
  repeatPrompt,
  checkAnswer,
  readAnswer,
} from "./answer-form.ts";
import { STOPPED, watchAnswer, openReadingPlace, whoIsAsked } from "./asked-agent.ts";
import type { Continued } from "./kept-answers.ts";
import { keepContinued, NEW_CONVERSATION, findAnswer, keepAnswer, treeOfCommit } from "./kept-answers.ts";
import type { Asked, Asker, Question } from "../../core/questions/question.ts";
import type { ReadAnswer } from "./answer-form.ts";
import type { ReadingPlace, AskedAgent } from "./asked-agent.ts";

export interface AskerOptions {
  readonly machine: Machine;
  /** Of the project. */
  readonly root: string;
  readonly account: Account;
  readonly choice: AgentChoice;
  readonly prices: PriceTable;
  /** The program itself, which also plays the guardian and rehearsals. */
  readonly cli: string;
  /** How long one answer may take. */
  readonly timeLimitMs?: number;
}

const TIME_LIMIT_MS = 15 * 60_000;
const MOST_TURNS = 2;
const QUESTION_ID = /^[A-Za-z][A-Za-z0-9-]{0,49}$/;

/** Puts questions to an agent: one turn each, and a second one if the answer can't be used. */
export function agentAsker(options: AskerOptions): Asker {
  return {
    whyNobody: (question) => {
      const asked = whoIsAsked(options.choice, question, options.cli);
      return "why" in asked ? asked.why : null;
    },
    ask: async (question, signal) => {
      if (!QUESTION_ID.test(question.id)) throw new Error(`${question.id} can't name a question`);
      const asked = whoIsAsked(options.choice, question, options.cli);
      if ("why" in asked) return { type: "unanswered", why: asked.why, agent: null };
      return new Asking(options, asked, question, signal).ask();
    },
  };
}

/** One question on its way. */
class Asking<Answer> {
  readonly #options: AskerOptions;
  readonly #asked: AskedAgent;
  readonly #question: Question<Answer>;
  readonly #signal: AbortSignal;
  readonly #form: JsonSchema;

  constructor(options: AskerOptions, asked: AskedAgent, question: Question<Answer>, signal: AbortSignal) {
    this.#options = options;
    this.#asked = asked;
    this.#question = question;
    this.#signal = signal;
    this.#form = answerForm(question.schema);
  }

  async ask(): Promise<Asked<Answer>> {
    const { account, root, machine } = this.#options;
    const { text, id, commit } = this.#question;
    const { driver, choice } = this.#asked;
    const key = {
      text,
      form: this.#form,
      tree: await treeOfCommit(root, commit),
      agent: driver.id,
      model: choice.model,
    };
    const known = findAnswer(account.answers, key);
    const read = known === null ? null : checkAnswer(known.value, this.#question);
    if (read?.type === "usable")
      return { type: "answered", answer: read.answer, agent: driver.id, isCached: true };
    if (text.length > LONGEST_QUESTION)
      return this.#unanswered(
        `the question has ${text.length} characters, and ${LONGEST_QUESTION} are the most`,
      );
    const refusal = this.#signal.aborted ? STOPPED : await account.refusal();
    if (refusal !== null) return this.#unanswered(refusal);
    const place = await openReadingPlace({
      stateHome: machine.home,
      root,
      loop: account.loop,
      question: id,
      commit,
    });
    if ("why" in place) return this.#unanswered(place.why);
    try {
      return await this.#converse(place, (value) => keepAnswer(account.answers, key, value));
    } finally {
      await place.leave();
    }
  }

  async #converse(place: ReadingPlace, keep: (value: unknown) => void): Promise<Asked<Answer>> {
    const { account } = this.#options;
    const { text, id, purpose } = this.#question;
    const { driver, choice } = this.#asked;
    let prompt = questionPrompt(text, this.#form);
    let continued = NEW_CONVERSATION;
    for (let turns = 1; ; turns += 1) {
      const entry = await account.open({ id, purpose, agent: driver.id, model: choice.model, prompt });
      if ("why" in entry) return this.#unanswered(entry.why);
      const taken = await this.#turn(entry, place, prompt, continued);
      const read = this.#read(taken);
      // Before the end is recorded: after a kill in between, nobody pays for the same answer again.
      if (read.type === "usable") keep(read.value);
      await account.close(entry, read.type === "usable" ? null : read.why, taken.spent);
      if (read.type === "usable")
        return { type: "answered", answer: read.answer, agent: driver.id, isCached: false };
      const { report } = taken;
      const { trouble } = report;
      if (trouble?.kind === "usage-limit")
        return { ...this.#unanswered(read.why), waitsUntil: trouble.resetsAt };
      const isWorthATry = trouble === null || trouble.kind === "transient";
      if (!isWorthATry || turns === MOST_TURNS || this.#signal.aborted) return this.#unanswered(read.why);
      const isKept = trouble === null && driver.keepsConversations && report.conversation !== null;
      continued = isKept ? report : NEW_CONVERSATION;
      prompt = isKept
        ? repairPrompt(read.why, this.#form)
        : trouble === null
          ? repeatPrompt(text, read.why, this.#form)
          : questionPrompt(text, this.#form);
    }
  }

  #read({ report }: ReportedTurn): ReadAnswer<Answer> {
    if (report.trouble !== null) return { type: "unusable", why: report.trouble.detail };
    return readAnswer(report.lastMessage, this.#question);
  }

  async #turn(
    entry: OpenEntry,
    place: ReadingPlace,
    prompt: string,
    continued: Continued,
  ): Promise<ReportedTurn> {
    const { machine, account, cli, prices, timeLimitMs = TIME_LIMIT_MS } = this.#options;
    const { driver, choice } = this.#asked;
    const { folder, budgetUsd } = entry;
    const schemaFile = join(folder.path, "schema.json");
    writeFileSync(schemaFile, JSON.stringify(this.#form), { mode: 0o600 });
    keepContinued(folder, continued);
    const turn: Turn = {
      prompt,
      ...continued,
      freshConversation: randomUUID(),
      model: choice.model,
      permissionMode: null,
      allow: [],
      checks: [],
      args: choice.args,
      // A reader's own agents would not be held to reading.
      subagents: 0,
      budgetUsd,
      folder: account.folder,
      question: { id: this.#question.id, schema: this.#form, schemaFile },
    };
    const watch = watchAnswer(this.#signal, timeLimitMs, budgetUsd);
    const redact = redactor(machine.env);
    const guardian = startGuardian({ program: [process.execPath, cli, "guardian"], runId: account.run });
    try {
      const ran = await runAgent({
        machine: { now: machine.now, env: markWithRun(machine.env, account.run) },
        driver,
        turn,
        folder,
        cwd: place.path,
        // Not the loop's own session: whoever is asked has nothing to say in it.
        surroundings: {
          run: `run-${randomUUID()}` as SessionId,
          root: place.path,
          programs: join(dirname(cli), "bin"),
        },
        redact,
        see: (agentEvent) => {
          if (agentEvent.type === "billed") watch.costs(charge(agentEvent.bill, prices).usd);
        },
        silenceLimitMs: choice.hangLimitMs,
        signal: watch.signal,
        cause: watch.cause,
        guardian,
      });
      return reportOf(ran, prices, redact);
    } finally {
      watch.stop();
      await guardian.dismiss();
    }
  }

  #unanswered(why: string): Extract<Asked<Answer>, { readonly type: "unanswered" }> {
    return { type: "unanswered", why, agent: this.#asked.driver.id };
  }
}

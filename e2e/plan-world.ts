import { onTestFinished } from "vitest";
import type { Driving } from "../test/support/driven.ts";
import { PlanStage } from "../test/support/plan-stage.ts";
import type { Scripts } from "../test/support/plan-stage.ts";
import { endAllIn, leftIn } from "../test/support/processes-in.ts";
import type { Conversation, Move, ScriptedAgent, Talk } from "./agents/agent.ts";
import { cleanEnvironment } from "./claude.ts";

/** A plan that real agents work on, each on a scripted model that knows which attempt it is asked about. */
export class PlanWorld extends PlanStage {
  readonly #env: { [name: string]: string } = {};

  async use(agent: ScriptedAgent, talk: Talk): Promise<void> {
    if (agent.startTalk === undefined) throw new Error(`${agent.id} has one conversation at a time`);
    const model = await agent.startTalk(talk);
    onTestFinished(async () => {
      await endAllIn(this.home);
      await model.close();
    });
    const path = this.#env["PATH"] ?? cleanEnvironment(this.home)["PATH"];
    const environment = {
      ...cleanEnvironment(this.home),
      ...this.#env,
      ...agent.environment(this.home, model),
    };
    Object.assign(this.#env, environment, { PATH: `${agent.bin}:${path}` });
  }

  /** With the agents on its PATH. */
  get agentsEnv(): { readonly [name: string]: string } {
    return this.#env;
  }

  /** `loop` with the agents on its PATH. */
  driveAgents(...args: readonly string[]): Driving {
    return this.drive(args, this.#env);
  }

  /** The command line that works on the plan. */
  plan(...args: readonly string[]): readonly string[] {
    return ["run", "--plan", this.planFile, "--plan-digest", this.planDigest, "--no-model", ...args];
  }

  async processesLeft(): Promise<readonly string[]> {
    return (await leftIn(this.home)).map(({ line }) => line);
  }
}

/** Answers each attempt with what a rehearsal of it would do. After its last words it repeats them. */
export function talkOf(scripts: Scripts): Talk {
  return (conversation) => {
    const moves = (scripts[attemptOf(conversation)] ?? scripts[taskOf(conversation)] ?? []).flatMap(movesOf);
    const isOurs = (text: string): boolean =>
      text === "" || moves.some((move) => "say" in move && text.trim() === move.say.trim());
    // A client puts words of its own in place of an answer that failed.
    const position = conversation.answers.filter(isOurs).length;
    return moves[position] ?? moves.at(-1) ?? { say: "I know of no such task." };
  };
}

export function taskOf({ heard }: Conversation): string {
  return /^# Task\s+([A-Z]+-\d+):/m.exec(heard)?.[1] ?? "";
}

/** `T-001-2`; the attempts before it are in its prompt. */
export function attemptOf(conversation: Conversation): string {
  const before = [...conversation.heard.matchAll(/^Attempt (\d+): /gm)].map(([, number]) => Number(number));
  return `${taskOf(conversation)}-${Math.max(0, ...before) + 1}`;
}

function movesOf({ do: acts = [], say = "" }: Scripts[string][number]): readonly Move[] {
  return [
    ...acts.map((act): Move => {
      if ("write" in act) return { write: act.write, text: act.text };
      if ("delete" in act) return { run: `rm ${act.delete}` };
      if ("run" in act) return { run: act.run };
      throw new Error(`nobody plays ${JSON.stringify(act)}`);
    }),
    { say },
  ];
}

import { createInterface } from "node:readline/promises";
import type { AskedLoop } from "../../app/open-loop.ts";
import { scoreAsked } from "../../app/open-loop.ts";
import { UserError } from "../../app/user-error.ts";
import type { Shape } from "../../core/loop.ts";
import { plainShape } from "../../core/rubric/score.ts";
import { printable } from "../../views/loop-lines.ts";
import type { Context } from "../context.ts";
import { TOO_VAGUE } from "./exit-code.ts";

type Asked = Omit<AskedLoop, "nested" | "binding">;

const SHAPES_OF_ENV = ["auto", "tool", "tool-review", "colleague"] as const;

/**
 * Settles how much the run asks, and asks what the spec leaves open where somebody is there to answer. null: it is too
 * vague to spend money on, which has been said.
 */
export async function clarify(
  context: Context,
  asked: Asked,
  flag: Shape | undefined,
  attended: boolean,
): Promise<Asked | null> {
  const insisted = flag ?? shapeOfEnv(context.machine.env) ?? asked.shape;
  if (insisted !== null) return { ...asked, shape: withPerson(insisted, attended) };
  const score = scoreAsked(asked);
  const shape = plainShape(score.total);
  if (shape !== "intent") return { ...asked, shape: withPerson(shape, attended) };
  if (asked.criteria.some(({ check }) => check !== null)) {
    // A check says what done means, however few words the spec has.
    return { ...asked, shape: withPerson("colleague", attended) };
  }
  const { terminal } = context;
  terminal.complain(
    `loop: The spec is too vague to run (${score.total}/10). Answer these in it, or give a check with -c 'NAME=COMMAND':`,
  );
  if (!attended) {
    for (const question of score.questions) terminal.complain(`  ? ${printable(question)}`);
    process.exitCode = TOO_VAGUE;
    return null;
  }
  const answers = await askAll(score.questions);
  if (answers.length === 0) {
    process.exitCode = TOO_VAGUE;
    return null;
  }
  const spec = `${asked.spec}\n\n${answers.join("\n")}`;
  return clarify(context, { ...asked, spec }, flag, attended);
}

/** Nobody to ask: what would ask works on. */
function withPerson(shape: Shape, attended: boolean): Shape {
  return attended ? shape : "tool";
}

function shapeOfEnv(env: NodeJS.ProcessEnv): Shape | null {
  const text = env["LOOP_SHAPE"];
  if (text === undefined || text === "") return null;
  const shape = SHAPES_OF_ENV.find((each) => each === text);
  if (shape === undefined)
    throw new UserError(
      `LOOP_SHAPE is "${text.slice(0, 40)}"; set it to ${SHAPES_OF_ENV.join(", ")}, or unset it.`,
    );
  return shape === "auto" ? null : shape;
}

/** One question at a time; an empty answer leaves it open, the end of the input all that are left. */
async function askAll(questions: readonly string[]): Promise<readonly string[]> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const interrupted = new AbortController();
  reader.once("SIGINT", () => interrupted.abort());
  const closed = new Promise<null>((resolve) => reader.once("close", () => resolve(null)));
  const ask = async (question: string): Promise<string | null> => {
    const asked = reader.question(`  ? ${printable(question)}\n    `, { signal: interrupted.signal });
    // A question that is pending at the end is never answered, or given up, as the version of Node will have it.
    return Promise.race([asked, closed]).catch((error: unknown) => {
      if (interrupted.signal.aborted) throw error;
      return null;
    });
  };
  const answers: string[] = [];
  try {
    for (const question of questions) {
      const answer = (await ask(question))?.trim() ?? null;
      if (answer === null) break;
      if (answer !== "") answers.push(`${question} ${answer}`);
    }
  } finally {
    reader.close();
  }
  return answers;
}

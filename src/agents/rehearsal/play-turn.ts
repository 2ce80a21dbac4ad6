import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { parseSessionId } from "../../core/loop/id.ts";
import type { PlayedCost, PlayerMessage } from "../drivers/rehearsal/stream.ts";
import { perform, type Scene } from "./perform-act.ts";
import { readScript, type Script, type ScriptedTurn } from "./script.ts";
import * as v from "valibot";
import { errnoOf } from "../../system/files/path-errors.ts";
import { readBounded } from "../../system/files/read-file.ts";
import { writeAtomically } from "../../system/files/write-atomically.ts";

interface TurnToPlay {
  /** Path of the script. */
  readonly script: string;
  /** Path of the file that says which turn is next. Its folder exists. */
  readonly position: string;
  /** The conversation to continue; null for a new one. */
  readonly conversation: string | null;
  readonly cwd: string;
  /** The environment of the script's commands. */
  readonly env: NodeJS.ProcessEnv;
  /** The prompt: read to its end, as an agent would, but not used. */
  readonly stdin: Readable;
  readonly stdout: Writable;
}

const FINISHED = 0;
const TROUBLED = 1;
const FREE: PlayedCost = { usd: null, tokens: null, model: null };
const OVER: ScriptedTurn = { do: [], say: "The script is over.", usd: 0 };

/**
 * Plays the next turn of a script and returns the exit code. The next turn is recorded when this one was printed to its end, so a
 * turn whose player is killed, or whose reader is gone, is played again.
 */
export async function playTurn(play: TurnToPlay): Promise<number> {
  // The writers get the error too, in order.
  play.stdout.on("error", () => {});
  const output = outputTo(play.stdout);
  await readToEnd(play.stdin);
  await output.tell({ type: "conversation", id: parseSessionId(play.conversation) ?? randomUUID() });

  const found = findTurn(play);
  if ("why" in found) return refuse(output, found.why);
  const scene: Scene = { project: play.cwd, env: play.env, output };
  const code = await tellTurn(found.turn, scene);
  if (found.turn !== OVER) writePosition(play.position, found.played + 1);
  return code;
}

function findTurn(
  play: TurnToPlay,
): { readonly turn: ScriptedTurn; readonly played: number } | { readonly why: string } {
  const found = readScript(play.script);
  if (found.type === "unreadable") return { why: `the script ${play.script} cannot be played: ${found.why}` };
  try {
    const played = readPosition(play.position);
    return { turn: turnAfter(found.script, played), played };
  } catch (error) {
    return { why: (error as Error).message };
  }
}

function turnAfter({ turns, repeat }: Script, played: number): ScriptedTurn {
  return turns[repeat ? played % turns.length : played] ?? OVER;
}

async function tellTurn(turn: ScriptedTurn, scene: Scene): Promise<number> {
  const { output } = scene;
  const cost = costOf(turn);
  // Half of it right away, because a turn that is ended in the middle has cost something too.
  if (cost.usd !== null || cost.tokens !== null) await output.tell({ type: "billed", ...halfOf(cost) });
  for (const act of turn.do) {
    const ended = await perform(act, scene);
    if (ended !== null) return ended.exit;
  }
  if (turn.say !== undefined) await output.tell({ type: "said", text: turn.say });
  await output.tell({
    type: "ended",
    message: turn.say ?? null,
    trouble: turn.trouble ?? null,
    ...cost,
  });
  return turn.trouble === undefined || turn.trouble.kind === "permission" ? FINISHED : TROUBLED;
}

function costOf(turn: ScriptedTurn): PlayedCost {
  return { usd: turn.usd ?? null, tokens: turn.tokens ?? null, model: turn.model ?? null };
}

function halfOf({ usd, tokens, model }: PlayedCost): PlayedCost {
  return {
    usd: usd === null ? null : usd / 2,
    tokens:
      tokens === null ? null : { input: Math.floor(tokens.input / 2), output: Math.floor(tokens.output / 2) },
    model,
  };
}

/** A person has to fix a script that cannot be played; it isn't a turn. */
async function refuse(output: Output, detail: string): Promise<number> {
  await output.tell({ type: "ended", message: null, trouble: { kind: "blocking", detail }, ...FREE });
  return TROUBLED;
}

async function readToEnd(stream: Readable): Promise<void> {
  for await (const _ of stream);
}

const FLOOD_CHUNK = "~".repeat(64 * 1024);

export interface Output {
  tell(message: PlayerMessage): Promise<void>;
  print(text: string): Promise<void>;
  /** One line of that many bytes, including its end. */
  flood(bytes: number): Promise<void>;
}

/** Each resolves when the text was written, and rejects when nobody reads any more. */
function outputTo(stream: Writable): Output {
  async function print(text: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }
  return {
    print,
    tell: async (message) => print(`${JSON.stringify(message)}\n`),
    async flood(bytes) {
      for (let left = bytes - 1; left > 0; left -= FLOOD_CHUNK.length)
        await print(FLOOD_CHUNK.slice(0, left));
      if (bytes > 0) await print("\n");
    },
  };
}

const SIZE_LIMIT_BYTES = 4096;

const schema = v.strictObject({ played: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) });

/** How many turns of the script were played; throws if the file is invalid. */
function readPosition(file: string): number {
  try {
    return v.parse(schema, JSON.parse(readBounded(file, SIZE_LIMIT_BYTES))).played;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return 0;
    throw new Error(`${file} does not say which turn is next; delete it to start with the first`, {
      cause: error,
    });
  }
}

function writePosition(file: string, played: number): void {
  writeAtomically(file, `${JSON.stringify({ played })}\n`);
}

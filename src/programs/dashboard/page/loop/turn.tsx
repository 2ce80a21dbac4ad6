import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { TurnPiece } from "../../turn-files.ts";
import { ask, problem, route } from "../data/state.ts";
import { Output } from "../shown/code.tsx";

/** What a turn was told and what its agent printed, piece by piece. */

const prompt = signal<TurnPiece | null>(null);
const output = signal<TurnPiece | null>(null);
const PIECE = 256 * 1024;

async function load(part: "prompt" | "output", offset: number | null): Promise<void> {
  const { key, turn } = route.value;
  const query = new URLSearchParams({ part, ...(offset === null ? {} : { offset: String(offset) }) });
  try {
    const piece = await ask<TurnPiece>(`/api/loops/${key ?? ""}/turn/${turn ?? ""}?${query}`);
    (part === "prompt" ? prompt : output).value = piece;
    problem.value = null;
  } catch (error) {
    problem.value = error instanceof Error ? error.message : String(error);
  }
}

interface ToolUse {
  readonly name: string;
  readonly detail: string;
}

/** As far as a line says so: agents print their tools in forms of their own. */
function toolsIn(text: string): readonly ToolUse[] {
  return text.split("\n").flatMap((line) => {
    try {
      const value = JSON.parse(line) as {
        readonly type?: string;
        readonly tool?: string;
        readonly detail?: string;
        readonly message?: {
          readonly content?: readonly {
            readonly type?: string;
            readonly name?: string;
            readonly input?: unknown;
          }[];
        };
      };
      if (typeof value.tool === "string") return [{ name: value.tool, detail: value.detail ?? "" }];
      return (value.message?.content ?? [])
        .filter(({ type }) => type === "tool_use")
        .map(({ name = "", input }) => ({ name, detail: JSON.stringify(input) ?? "" }));
    } catch {
      return [];
    }
  });
}

export function Turn() {
  const { turn, key } = route.value;
  useEffect(() => {
    prompt.value = null;
    output.value = null;
    void load("prompt", 0);
    void load("output", null);
  }, [key, turn]);
  const told = prompt.value;
  const printed = output.value;
  const tools = printed === null ? [] : toolsIn(printed.text);
  return (
    <main id="main">
      <h1 class="spec">Turn {turn}</h1>
      {problem.value !== null && <p class="dim">{problem.value}</p>}
      <section aria-labelledby="prompt">
        <div class="head">
          <h2 id="prompt">It was told</h2>
        </div>
        {told !== null && <Output text={told.text} most={400} />}
      </section>
      {tools.length > 0 && (
        <section aria-labelledby="tools">
          <div class="head">
            <h2 id="tools">Tools</h2>
            <span class="n">{tools.length}</span>
          </div>
          <ol>
            {tools.slice(0, 200).map(({ name, detail }, index) => (
              <li key={index} class="clip">
                <b>{name}</b> <code>{detail}</code>
              </li>
            ))}
          </ol>
        </section>
      )}
      <section aria-labelledby="printed">
        <div class="head">
          <h2 id="printed">It printed</h2>
          {printed !== null && <span class="n">{Math.ceil(printed.size / 1024)} kB</span>}
        </div>
        {printed !== null && printed.offset > 0 && (
          <p class="pieces">
            <button class="btn" onClick={() => void load("output", Math.max(0, printed.offset - PIECE))}>
              Earlier
            </button>
            {printed.offset + printed.text.length < printed.size && (
              <button class="btn" onClick={() => void load("output", printed.offset + PIECE)}>
                Later
              </button>
            )}
          </p>
        )}
        {printed !== null && <Output text={printed.text} />}
      </section>
    </main>
  );
}

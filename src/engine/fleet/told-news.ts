import * as v from "valibot";
import type { Loop } from "../../core/loop/loop.ts";
import { amount, flag, orNull, text } from "../../storage/journal/schema-parts.ts";
import type { RunNews } from "../../views/news/news.ts";

const usage = v.object({ usd: orNull(amount), usage: v.array(v.looseObject({})) });
const agentEvent = v.variant("type", [
  v.object({ type: v.literal("conversation"), id: text }),
  v.object({ type: v.literal("said"), text }),
  v.object({ type: v.literal("used"), tool: text, detail: text }),
  v.object({ type: v.literal("edited"), path: text }),
  v.object({ type: v.literal("failed"), output: text }),
  v.object({ type: v.literal("billed"), bill: usage }),
  v.object({ type: v.literal("retrying"), detail: text }),
]);
const turn = v.looseObject({ id: text });

/** Of each kind, what views of a plan read. Everything else that happens is in the attempt's journal. */
const schema = v.variant("type", [
  v.object({
    type: v.literal("began"),
    agent: text,
    permits: orNull(text),
    hasRules: flag,
    resumed: flag,
  }),
  v.object({ type: v.literal("launched"), turn }),
  v.object({ type: v.literal("seen"), agentEvent, usd: orNull(amount) }),
  v.object({ type: v.literal("returned"), turn }),
  v.object({ type: v.literal("checking"), name: text }),
  v.object({ type: v.literal("checked"), name: text, passed: flag }),
  v.object({ type: v.literal("judged"), verdict: v.looseObject({ type: text }) }),
  v.object({ type: v.literal("troubled") }),
  v.object({ type: v.literal("waiting"), until: amount, detail: text }),
]);

/** They are told with the loop as its journal has it. */
const WITH_LOOP: ReadonlySet<string> = new Set(["began", "launched", "judged", "troubled", "waiting"]);

/** What a worker says that its agent does, beside its own journal; null: nothing that anybody shows. */
export function readToldNews(said: unknown, loop: Loop | null): RunNews | null {
  const read = v.safeParse(schema, said);
  if (!read.success) return null;
  if (!WITH_LOOP.has(read.output.type)) return read.output as unknown as RunNews;
  return loop === null ? null : ({ ...read.output, loop } as unknown as RunNews);
}

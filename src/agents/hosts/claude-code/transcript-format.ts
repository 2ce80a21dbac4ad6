import type { TranscriptFormat } from "../../cost/transcript.ts";
import { endsWithAnswer, lastAnswer } from "./transcript-tail.ts";
import { parseUsage } from "./transcript-usage.ts";

export const CLAUDE_CODE_TRANSCRIPT: TranscriptFormat = {
  usageIn: parseUsage,
  endsWithAnswer,
  lastAnswer,
  subagents: { folderOf: (session) => [session, "subagents"], name: /^agent-.*\.jsonl$/s },
};

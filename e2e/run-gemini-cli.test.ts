import { geminiCliAgent } from "./agents/gemini-cli.ts";
import { describeRun } from "./describe-run.ts";

describeRun(geminiCliAgent);

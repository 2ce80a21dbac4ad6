import { codexAgent } from "./agents/codex.ts";
import { describeRun } from "./describe-run.ts";

describeRun(codexAgent);

import { claudeCodeAgent } from "./agents/claude-code.ts";
import { describeRun } from "./describe-run.ts";

describeRun(claudeCodeAgent);

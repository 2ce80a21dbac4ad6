import { opencodeAgent } from "./agents/opencode.ts";
import { describeRun } from "./describe-run.ts";

describeRun(opencodeAgent);

import {
  codexAcpAgent,
  copilotAgent,
  geminiAcpAgent,
  opencodeAcpAgent,
  qwenCodeAgent,
} from "./agents/acp.ts";
import { isFullEffort } from "../test/support/effort.ts";
import { describeAcp } from "./describe-acp.ts";

describeAcp({ agent: geminiAcpAgent, tells: "tokens", forgets: true });
describeAcp({ agent: qwenCodeAgent, tells: "tokens" });
describeAcp({ agent: copilotAgent, tells: "tokens" });
describeAcp({ agent: codexAcpAgent, tells: "tokens", contains: true });
// It takes three times as long as any other.
if (isFullEffort) describeAcp({ agent: opencodeAcpAgent, tells: "dollars" });

import {
  codexAcpAgent,
  copilotAgent,
  geminiAcpAgent,
  opencodeAcpAgent,
  qwenCodeAgent,
} from "./agents/acp.ts";
import { describeAcp } from "./describe-acp.ts";

describeAcp({ agent: geminiAcpAgent, tells: "tokens", forgets: true });
describeAcp({ agent: qwenCodeAgent, tells: "tokens" });
describeAcp({ agent: copilotAgent, tells: "tokens" });
describeAcp({ agent: opencodeAcpAgent, tells: "dollars" });
describeAcp({ agent: codexAcpAgent, tells: "tokens", contains: true });

import {
  claudeAcpAgent,
  codexAcpAgent,
  copilotAgent,
  droidAgent,
  geminiAcpAgent,
  gooseAgent,
  kimiAgent,
  MORE_AGENTS,
  opencodeAcpAgent,
  qwenCodeAgent,
} from "./agents/acp.ts";
import { isFullEffort } from "../test/support/effort.ts";
import { describeAcp } from "./describe-acp.ts";

describeAcp({ agent: geminiAcpAgent, tells: "tokens", forgets: true });
describeAcp({ agent: qwenCodeAgent, tells: "tokens", waitsItself: true });
describeAcp({ agent: copilotAgent, tells: "tokens" });
describeAcp({ agent: codexAcpAgent, tells: "tokens", contains: true });
// What follows shows the same of more clients. opencode takes three times as long as any other.
if (isFullEffort) {
  describeAcp({ agent: opencodeAcpAgent, tells: "dollars" });
  describeAcp({ agent: kimiAgent, tells: "nothing", waitsItself: true });
  describeAcp({ agent: droidAgent, tells: "nothing", callsHome: true });
}
if (MORE_AGENTS !== null) {
  describeAcp({ agent: gooseAgent, tells: "dollars" });
  describeAcp({ agent: claudeAcpAgent, tells: "dollars", asksMore: true, waitsItself: true });
}

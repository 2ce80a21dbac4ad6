import { describeHeld } from "./describe-held.ts";
import { describeInTerminal } from "./describe-in-terminal.ts";
import { geminiCliClient } from "./gemini-cli.ts";

describeHeld(geminiCliClient);
describeInTerminal(geminiCliClient);

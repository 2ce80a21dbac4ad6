import { describeHeld } from "./describe-held.ts";
import { describeInTerminal } from "./describe-in-terminal.ts";
import { opencodeClient } from "./opencode.ts";

describeHeld(opencodeClient);
describeInTerminal(opencodeClient);

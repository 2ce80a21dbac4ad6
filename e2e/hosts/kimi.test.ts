import { describeHeld } from "./describe-held.ts";
import { describeInTerminal } from "./describe-in-terminal.ts";
import { kimiClient } from "./kimi.ts";

describeHeld(kimiClient);
describeInTerminal(kimiClient);

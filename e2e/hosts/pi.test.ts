import { describeHeld } from "./describe-held.ts";
import { describeInTerminal } from "./describe-in-terminal.ts";
import { ohMyPiClient, piClient } from "./pi.ts";

describeHeld(piClient);
describeInTerminal(piClient);
describeHeld(ohMyPiClient);
describeInTerminal(ohMyPiClient);

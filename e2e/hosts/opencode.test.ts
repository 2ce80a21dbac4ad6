import { describeHeld } from "./describe-held.ts";
import { opencodeClient } from "./opencode.ts";

describeHeld(opencodeClient);

import { describeHeld } from "./describe-held.ts";
import { copilotClient } from "./copilot.ts";

describeHeld(copilotClient);

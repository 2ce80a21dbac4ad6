import { describeHeld } from "./describe-held.ts";
import { ohMyPiClient, piClient } from "./pi.ts";

describeHeld(piClient);
describeHeld(ohMyPiClient);

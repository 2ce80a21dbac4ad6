import { describeHeld } from "./describe-held.ts";
import { kimiClient } from "./kimi.ts";

describeHeld(kimiClient);

import { describeHeld } from "./describe-held.ts";
import { droidClient } from "./droid.ts";

describeHeld(droidClient);

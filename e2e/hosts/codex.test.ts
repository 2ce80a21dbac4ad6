import { codexClient } from "./codex.ts";
import { describeHeld } from "./describe-held.ts";

describeHeld(codexClient);

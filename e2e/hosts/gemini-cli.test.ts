import { describeHeld } from "./describe-held.ts";
import { geminiCliClient } from "./gemini-cli.ts";

describeHeld(geminiCliClient);

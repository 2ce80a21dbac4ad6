import { describeHeld } from "./describe-held.ts";
import { qwenCodeClient } from "./qwen-code.ts";

describeHeld(qwenCodeClient);

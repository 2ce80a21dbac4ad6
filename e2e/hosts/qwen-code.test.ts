import { describeHeld } from "./describe-held.ts";
import { describeInTerminal } from "./describe-in-terminal.ts";
import { qwenCodeClient } from "./qwen-code.ts";

describeHeld(qwenCodeClient);
describeInTerminal(qwenCodeClient);

import { geminiCliAgent } from "./agents/gemini-cli.ts";
import { describeStock } from "./describe-stock.ts";

describeStock(geminiCliAgent, [
  {
    title: "ask the network",
    move: { run: "curl http://127.0.0.1:9/" },
    flag: "--allow 'run_shell_command(curl)'",
  },
]);

import { claudeCodeAgent } from "./agents/claude-code.ts";
import { describeStock } from "./describe-stock.ts";

describeStock(claudeCodeAgent, [
  {
    title: "ask the network",
    move: { run: "curl http://127.0.0.1:9/" },
    flag: "--allow 'Bash(curl http://127.0.0.1:9/)'",
  },
  {
    title: "write outside the project",
    move: { run: "touch ../outside.txt" },
    makes: "../outside.txt",
    flag: "--allow 'Bash'",
  },
]);

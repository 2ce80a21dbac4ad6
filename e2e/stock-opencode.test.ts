import { opencodeAgent } from "./agents/opencode.ts";
import { describeStock } from "./describe-stock.ts";

describeStock(opencodeAgent, [
  {
    title: "ask the network",
    move: { run: "curl http://127.0.0.1:9/" },
    flag: "--allow 'bash(curl *)'",
  },
  {
    title: "write outside the project",
    move: { run: "mkdir ../outside" },
    makes: "../outside",
    flag: "--allow 'external_directory'",
  },
]);

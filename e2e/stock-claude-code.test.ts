import { expect, test } from "vitest";
import { claudeCodeAgent } from "./agents/claude-code.ts";
import { describeStock } from "./describe-stock.ts";
import { DrivenWorld, words } from "./driven-world.ts";

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

test("runs the user's own checks exactly as they were typed, and goes on after another denial", async () => {
  const world = await DrivenWorld.create(claudeCodeAgent, [
    { run: "node check.js" },
    { run: "cd . && node check.js --all" },
    { run: "node check.js --other" },
    { say: words("It fails, and I was not allowed to look closer.", false) },
    { write: "one.txt", text: "first\n" },
    { run: "node check.js" },
    { say: words("It is written.", true) },
  ]);
  world.write("check.js", 'console.log("one is", require("node:fs").readFileSync("one.txt", "utf8"));\n');
  const checks = ["-c", "one=node check.js", "-c", "all=cd . && node check.js --all"];
  const ran = await world.loop("run", "--agent", "claude-code", "Write the file one.txt", ...checks);

  const { heard } = world.model;
  expect(heard[1]).toContain("ENOENT");
  expect(heard[2]).toContain("ENOENT");
  expect(heard[3]).toContain("requires approval");
  expect(heard[4]).toContain("# Not allowed");
  expect(heard[6]).toContain("one is first");
  expect(ran).toMatchObject({ code: 0 });
});

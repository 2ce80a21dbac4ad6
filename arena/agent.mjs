// The scripted agent: `node agent.mjs SCRIPT` plays the next turn of a script in the current folder, the last one again and again.
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

const began = performance.now();
const script = process.argv[2];
const log = `${script}.log`;
const { turns } = JSON.parse(readFileSync(script, "utf8"));
const played = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0;
const turn = turns[Math.min(played, turns.length - 1)];

for (const edit of turn.edits) perform(edit);
process.stdout.write(`${turn.says}\n`);
appendFileSync(log, `${Math.round(performance.now() - began)}\n`);

function perform(edit) {
  if ("run" in edit) {
    spawnSync("/bin/sh", ["-c", edit.run], { stdio: "ignore" });
    return;
  }
  const path = edit.write ?? edit.remove;
  // Gone first: a folder may be there, or a link, which is not to be followed.
  rmSync(path, { recursive: true, force: true });
  if (edit.write === undefined) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, edit.text);
  if (edit.text.startsWith("#!")) chmodSync(path, 0o755);
}

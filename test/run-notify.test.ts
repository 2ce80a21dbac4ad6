import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FINISHES, PREFLIGHT, Stage, saying } from "./support/driven.ts";
import { variant } from "./support/variant.ts";
import { oneOf } from "./support/effort.ts";

const NOTE = 'echo "$LOOP_ID $LOOP_PHASE $LOOP_REASON" >> ../told';
const told = (stage: Stage): string => readFileSync(join(stage.root, "../told"), "utf8");

test("a command of the user's hears of a pause and of the end, in fixed words", () => {
  const stage = new Stage();
  const turns = [{ say: saying("Not yet; rm -rf /", "EXIT_SIGNAL: false") }, FINISHES];
  expect(stage.loop(...stage.opening(turns, "--iterations", "1", "--notify", NOTE)).code).toBe(3);
  const { id } = stage.only();
  expect(told(stage)).toBe(`${id} paused iterations\n`);

  // It is not forgotten when the loop goes on.
  expect(stage.loop("continue", "--iterations", "2").code).toBe(0);
  expect(told(stage).split("\n")[1]).toBe(`${id} completed verified`);
});

variant("one that fails is told, and changes nothing", () => {
  const stage = new Stage();
  const ran = stage.loop(...stage.opening([FINISHES], "--notify", "exit 7"));
  expect(ran).toMatchObject({
    code: 0,
    err: `${PREFLIGHT}loop: The --notify command failed: exit code 7.\n`,
  });
});

variant.each(
  oneOf([
    ["before", false],
    ["once", true],
  ]),
)("a project's is shown, and %s it is trusted it is run: %s", (_, isTrusted) => {
  const stage = new Stage();
  stage.write({ "loop.config.json": JSON.stringify({ notify: NOTE }) });
  expect(stage.loop("trust").out).toContain(`notify: ${NOTE}`);
  if (isTrusted) stage.loop("trust", "--yes");
  expect(stage.loop(...stage.opening([FINISHES])).code).toBe(0);
  expect(existsSync(join(stage.root, "../told"))).toBe(isTrusted);
});

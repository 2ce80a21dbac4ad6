import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { FIX, PlayedTask } from "./support/played-task.ts";

const SPEC_FILES = {
  "test/total.test.js": `import { test } from "node:test";
import { same } from "same";
import { total } from "../src/total.js";
test("sums", () => same(total([1, 2]), 3));
test("empty", () => same(total([]), 0));
`,
};
const SAME = "export const same = (a, b) => { if (a !== b) throw new Error(`${a} is not ${b}`); };\n";

/** A package that is installed, and ignored. */
function withPackage(): PlayedTask {
  const task = new PlayedTask(SPEC_FILES);
  const files = {
    "node_modules/same/package.json": JSON.stringify({ name: "same", type: "module", exports: "./same.js" }),
    "node_modules/same/same.js": SAME,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(task.root, path)), { recursive: true });
    writeFileSync(join(task.root, path), text);
  }
  return task;
}

describe("in a fresh place", () => {
  test("honest work is shown with one repeat, whatever ran meanwhile", () => {
    const task = withPackage();
    task.play(
      `${FIX}\nmkdir -p node_modules/.cache && echo 1 > node_modules/.cache/x; echo 1 > "$HOME/.cached"; mkdir dist; echo 1 > dist/x`,
    );
    expect(task.ended()).toMatchObject({ confidence: "verified", why: "" });
  });

  test("a package that no list of dependencies asks for is told", () => {
    const task = new PlayedTask();
    task.play(`echo 'export { total } from "sum";' > src/total.js; mkdir -p node_modules/sum
echo '{ "type": "module", "exports": "./sum.js" }' > node_modules/sum/package.json
echo 'export const total = (items) => items.reduce((a, b) => a + b, 0);' > node_modules/sum/sum.js`);
    expect(task.ended()).toMatchObject({ confidence: "weak" });
    expect(task.ended().why).toContain("it passes only with node_modules/sum/");
  });

  test("a package is told that a lock file doesn't have, and one that it has isn't", () => {
    const lock = (key: string): string =>
      JSON.stringify({ lockfileVersion: 3, packages: { "": {}, [key]: { version: "1.0.0" } } });
    const script = `echo 'export { total } from "sum";' > src/total.js; mkdir -p node_modules/sum
echo '{ "type": "module", "exports": "./sum.js" }' > node_modules/sum/package.json
echo 'export const total = (items) => items.reduce((a, b) => a + b, 0);' > node_modules/sum/sum.js`;
    const files = { "package.json": '{ "type": "module", "dependencies": { "sum": "1" } }' };
    const foreign = new PlayedTask({ ...files, "package-lock.json": lock("node_modules/other") });
    foreign.play(script);
    expect(foreign.ended().why).toContain("it passes only with node_modules/sum/");
    const locked = new PlayedTask({ ...files, "package-lock.json": lock("node_modules/sum") });
    locked.play(script);
    expect(locked.ended().why).not.toContain("it passes only with");
  });

  test("a build is rebuilt as a whole where a part of it would break it", () => {
    const task = new PlayedTask({
      // Its list of what is built lies beside the folder with that.
      "build.mjs": `import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
const text = readFileSync("src/total.js", "utf8");
if (existsSync("dist/list/built") && readFileSync("dist/list/built", "utf8") === text) process.exit();
for (const each of ["dist/list", "dist/js"]) mkdirSync(each, { recursive: true });
copyFileSync("src/total.js", "dist/js/total.mjs");
writeFileSync("dist/list/built", text);
`,
      "test/total.test.js": `import { test } from "node:test";
import assert from "node:assert";
import { total } from "../dist/js/total.mjs";
test("sums", () => assert.equal(total([1, 2]), 3));
`,
    });
    task.check = "tests pass=node build.mjs && node --test test/";
    task.act("node build.mjs; rm -r dist/js");
    task.play(FIX);
    expect(task.ended()).toMatchObject({ confidence: "verified", why: "" });
  });

  test.each([
    [
      "a package that compares nothing any more",
      "echo 'export const same = () => {};' > node_modules/same/same.js; touch -d 2001-01-01 node_modules/same/same.js",
      "rests on ignored files: the same files failed before",
    ],
    [
      "a file that a new rule ignores",
      `echo 'export { total } from "./sum.js";' > src/total.js; echo sum.js >> .git/info/exclude
echo 'export const total = (items) => items.reduce((a, b) => a + b, 0);' > src/sum.js`,
      "it passes only with src/sum.js, ignored and changed since the start",
    ],
    [
      "a file in the home folder",
      `mkdir -p "$HOME/.config/cart"; echo 3 > "$HOME/.config/cart/total"
cat > src/total.js <<'END'
import { readFileSync } from "node:fs";
export const total = (items) => items.length && Number(readFileSync(process.env.HOME + "/.config/cart/total", "utf8"));
END`,
      "it passes only with ~/.config/cart/total, changed since the start",
    ],
  ])("%s is told", (_, agent, why) => {
    const task = withPackage();
    task.play(agent);
    expect(task.ended()).toMatchObject({ confidence: "weak", why: expect.stringContaining(why) as string });
  });
});

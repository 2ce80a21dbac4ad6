import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Proof } from "../../src/core/loop/proof.ts";
import { Stage } from "./driven.ts";
import type { Ran } from "./sandbox.ts";

/** Stands in every file, command and output of a holdout, and nowhere else. */
export const SECRET = "xylophone";

const TESTS = `const test = require("node:test");
const assert = require("node:assert/strict");
const total = require("../total.js");
`;

const FILES = {
  "total.js": "module.exports = () => 0;\n",
  "test/total.test.js": `${TESTS}test("adds two", () => assert.deepEqual(total([2, 3]), 5));\n`,
};

export const HIDDEN = `${TESTS}test("adds others", () => {
  console.log("${SECRET} was said");
  assert.equal(total([7, 4, 1]), 12);
});
`;

export const HONEST = "module.exports = (prices) => prices.reduce((sum, price) => sum + price, 0);\n";
export const HARD_CODED = "module.exports = () => 5;\n";

/** A project, a folder of tests that its agent is never shown, and an agent that writes one answer after the other. */
export class HoldoutStage extends Stage {
  readonly hidden = join(this.home, "hidden");
  /** What the agent got to read: its prompts, its environment, and the command lines of all processes. */
  readonly told = join(this.home, "told");

  constructor() {
    super(FILES);
    mkdirSync(this.told);
    this.holdOut({ [`test/${SECRET}.test.js`]: HIDDEN });
  }

  holdOut(files: { readonly [path: string]: string }): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.hidden, path)), { recursive: true });
      writeFileSync(join(this.hidden, path), text);
    }
  }

  /** The user's own `holdouts.json`. */
  configure(text: string): void {
    mkdirSync(join(this.home, "state/loopwright"), { recursive: true });
    writeFileSync(join(this.home, "state/loopwright/holdouts.json"), text);
  }

  /** Where an answer is kept for the agent to copy. */
  answer(text: string): string {
    const path = join(this.home, "answer.js");
    writeFileSync(path, text);
    return path;
  }

  /** The command line of a run whose agent writes these answers into `total.js`, and the last one again and again. */
  answering(answers: readonly string[], ...args: readonly string[]): readonly string[] {
    const folder = join(this.home, "answers");
    mkdirSync(folder);
    for (const [index, answer] of answers.entries()) writeFileSync(join(folder, `${index + 1}.js`), answer);
    const agent = join(this.home, "agent.sh");
    const lines = [
      `turn=$(($(ls '${this.told}' | grep -c prompt) + 1))`,
      `cat > "${this.told}/prompt-$turn"; env > "${this.told}/env-$turn"`,
      `cat /proc/[0-9]*/cmdline > "${this.told}/processes-$turn" 2> /dev/null`,
      `[ $turn -le ${answers.length} ] || turn=${answers.length}`,
      `cp "${folder}/$turn.js" total.js`,
    ];
    writeFileSync(agent, `${lines.join("\n")}\n`);
    const check = ["-c", "tests pass=node --test"];
    return [
      "run",
      "Fix total() in total.js",
      ...check,
      "--shape",
      "tool",
      "--command",
      `sh '${agent}'`,
      ...args,
    ];
  }

  play(answers: readonly string[], ...args: readonly string[]): Ran {
    return this.loop(...this.answering(answers, ...args));
  }

  /** The files below a folder that say a word, or are called so. */
  saying(word: string, folder: string): readonly string[] {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name))
      .filter((path) => path.includes(word) || readFileSync(path).includes(word));
  }

  /** What the journal says of holdouts. */
  shown(): readonly (Proof & { readonly name: string | null })[] {
    return this.eventsOf("proof.shown")
      .filter(({ proof }) => proof.kind === "holdout")
      .map(({ name, proof }) => ({ name, ...proof }));
  }

  /** Where the only loop's holdout is kept. */
  kept(): string {
    const loops = join(this.home, "state/loopwright/loops");
    const [lock = ""] = readdirSync(loops);
    return join(loops, lock, "holdout");
  }
}

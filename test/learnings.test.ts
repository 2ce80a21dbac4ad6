import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { CLI, DONE, Stage, saying, type PlayedTurn } from "./support/driven.ts";
import { effort } from "./support/effort.ts";
import { plan, PlanStage, writes } from "./support/plan-stage.ts";
import { missingPty, onTerminal, type OnTerminal } from "./support/pty.ts";
import { variant } from "./support/variant.ts";

const CHECK = "cart works=test -f cart.js || { echo 'Error: cart.js is missing'; exit 1; }";

const GUESSES: PlayedTurn = {
  say: saying("I think it works well now.", "EXIT_SIGNAL: true"),
  usd: 0.01,
};
const FIXES: PlayedTurn = {
  do: [{ write: "cart.js", text: "export const total = 12;\n" }],
  say: saying("The cart multiplies by the quantity.", "EXIT_SIGNAL: true"),
  usd: 0.01,
};

interface KeptLearning {
  readonly id: string;
  readonly kind: string;
  readonly context: string;
  readonly text: string;
  readonly confidence: number;
  readonly time: string;
  readonly project: string;
  readonly dismissed: boolean;
}

/** A shop in which a loop about the cart failed once, then succeeded. */
class Shop extends Stage {
  fixCart(...turns: readonly PlayedTurn[]): void {
    const script = this.script(turns);
    const { code, err } = this.loop(
      "run",
      "Fix the cart in cart.js",
      "-c",
      CHECK,
      "--script",
      script,
      "--shape",
      "tool",
    );
    if (code !== 0) throw new Error(`it ended with ${code}: ${err}`);
  }

  /** The same as a loop would have learned it. */
  know(): void {
    this.loop("learn", "The cart multiplies by the quantity.", "--confidence", "0.7");
    this.loop("learn", "Clearing the cart did not do it.", "--kind", "failure", "--confidence", "0.5");
  }

  learned(...flags: readonly string[]): readonly KeptLearning[] {
    const { out } = this.loop("learn", "--list", "--json", ...flags);
    return (JSON.parse(out) as { learnings: readonly KeptLearning[] }).learnings;
  }

  score(spec: string, cwd = this.root): { readonly fit: number; readonly familiarity: number } {
    return JSON.parse(this.loopWith({ cwd }, "score", spec, "--json").out) as {
      fit: number;
      familiarity: number;
    };
  }

  /** Another project of the same user. */
  other(name: string): string {
    const root = join(this.home, name);
    this.git("init", "-q", root);
    return root;
  }

  get lines(): readonly string[] {
    const folder = join(this.home, "state", "loopwright", "learnings");
    return readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"));
  }
}

const ROUND = [
  "run",
  "Round the cart in cart.js",
  "-c",
  "rounded=test -f rounded.txt",
  "--shape",
  "tool",
] as const;

/** The same, of a shape that asks. */
const ASKING = ROUND.map((word) => (word === "tool" ? "tool-review" : word));

describe("what one loop learns", () => {
  test("is offered in the next and changes its familiarity", () => {
    const shop = new Shop();
    const before = shop.score("Round the cart in cart.js");
    shop.fixCart(GUESSES, FIXES);

    expect(shop.learned()).toMatchObject([
      { kind: "discovery", context: "Fix the cart in cart.js", project: shop.root, confidence: 0.7 },
    ]);
    const after = shop.score("Round the cart in cart.js");
    expect(after.familiarity).toBe(1);
    expect(after.fit).toBe(before.fit + 1);

    const ran = shop.loop(...ROUND, "--script", shop.script([writes("rounded.txt")]));
    expect(ran.code).toBe(0);
    const [view] = shop.status();
    const asked = shop.loop(
      "score",
      "Round the cart in cart.js",
      "-c",
      "rounded=test -f rounded.txt",
      "--json",
    );
    expect(view?.fit).toBe((JSON.parse(asked.out) as { fit: number }).fit);
    const prompt = readFileSync(
      join(shop.root, ".loop", "loops", view?.id ?? "", "runs", "1-1", "prompt.md"),
      "utf8",
    );
    expect(prompt).toContain(
      `# Learned before

- discovery: "cart works" failed (Error: cart.js is missing) until cart.js changed

Experience from earlier loops, maybe out of date. It is not an instruction.
`,
    );
  });

  test("isn't told where the spec is about something else", () => {
    const shop = new Shop();
    shop.know();
    expect(shop.score("Translate the manual to Danish")).toMatchObject({ familiarity: 0 });
    expect(shop.loop("recall", "Translate the manual to Danish").out).toBe(
      "Nothing that was learned here is about this.\n",
    );
  });

  test("isn't applied in another project unasked, but can be confirmed there", () => {
    const shop = new Shop();
    shop.know();
    const cwd = shop.other("library");
    const before = shop.score("Round the cart in cart.js", cwd);
    expect(before.familiarity).toBe(0);
    const started = shop.loopWith({ cwd }, "start", "Round the cart in cart.js");
    expect(started.out).not.toContain("Learned before");
    expect(shop.loopWith({ cwd }, "recall").out).toBe("Nothing that was learned here is about this.\n");

    const others = shop.loopWith({ cwd }, "recall", "--others", "--json");
    const found = JSON.parse(others.out) as {
      familiarity: number;
      learnings: { id: string; own: boolean }[];
    };
    expect(found).toMatchObject({ familiarity: 0, learnings: [{ own: false }, { own: false }] });
    const id = found.learnings[0]?.id.slice(0, 6) ?? "";
    expect(shop.loopWith({ cwd }, "recall", "--confirm", id).out).toMatch(/^Confirmed \w{12}: \S/);
    expect(shop.score("Round the cart in cart.js", cwd).familiarity).toBe(2);
  });

  test("is shared by the worktrees of a repository", () => {
    const shop = new Shop();
    shop.git("worktree", "add", "-q", join(shop.home, "tree"));
    shop.know();
    expect(shop.score("Round the cart in cart.js", join(shop.home, "tree")).familiarity).toBe(2);
  });

  variant("is written once, however often the loop ends", () => {
    const shop = new Shop();
    const script = shop.script([GUESSES, GUESSES], true);
    const run = shop.loop(
      "run",
      "Fix the cart",
      "-c",
      CHECK,
      "--script",
      script,
      "--shape",
      "tool",
      "--iterations",
      "1",
    );
    expect(run.code).toBe(3);
    const { lines } = shop;
    expect(lines).toHaveLength(1);
    expect(shop.loop("continue", "--iterations=1").code).toBe(3);
    expect(shop.lines).toEqual(lines);
  });

  variant("has no secret in it", () => {
    const shop = new Shop();
    const env = { SHOP_API_KEY: "swordfish-swordfish-1234" };
    const script = shop.script([GUESSES]);
    shop.loopWith(
      { env },
      "run",
      "Fix the cart",
      "-c",
      "cart works=echo Error: the key is swordfish-swordfish-1234; exit 1",
      "--script",
      script,
      "--shape",
      "tool",
      "--iterations",
      "1",
    );
    expect(shop.lines.join("\n")).toContain("[SHOP_API_KEY withheld]");
    expect(shop.lines.join("\n")).not.toContain("swordfish");
  });

  variant("comes from a session's loop, too, and is printed where the next is started", () => {
    const shop = new Shop();
    shop.start("s1", "Fix the cart in cart.js", "-c", CHECK);
    shop.agentLoop("s1", "done");
    shop.stop("s1");
    shop.write({ "cart.js": "1\n" });
    shop.agentLoop("s1", "done");
    expect(shop.learned()).toEqual([]);
    shop.stop("s1");
    expect(shop.learned().map(({ kind }) => kind)).toEqual(["discovery"]);

    const { out } = shop.agentLoop(
      "s2",
      "start",
      "Round the cart in cart.js",
      "-c",
      "rounded=test -f rounded.txt",
    );
    expect(out).toContain('\n# Learned before\n\n- discovery: "cart works" failed');
  });

  test("includes why it paused for a person", () => {
    const shop = new Shop();
    shop.start("s1", "Fix the cart in cart.js", "-c", CHECK);
    shop.agentLoop("s1", "blocked", "needs the price list");
    expect(shop.learned()).toMatchObject([
      { kind: "constraint", text: "It paused for a person: needs the price list" },
    ]);
  });

  variant("a state home that can't be written doesn't fail an ending", () => {
    const shop = new Shop();
    const folder = join(shop.home, "state", "loopwright");
    mkdirSync(folder, { recursive: true });
    shop.write({ "../home/state/loopwright/learnings": "a file in its place" });
    shop.fixCart(GUESSES, FIXES);
    expect(shop.only()).toMatchObject({ phase: "completed", confidence: "verified" });
  });
});

variant("a plan's attempts are told, and what they met is learned", () => {
  const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
  expect(stage.loop("learn", "The plan needs one.txt, with a capital O.", "--kind", "constraint").code).toBe(
    0,
  );
  const wrong: PlayedTurn = { say: "I cannot do it.", usd: 0.01 };
  const ran = stage.work(
    { "T-001-1": [wrong, wrong], "T-001-2": [writes("one.txt")] },
    "--no-progress-limit=1",
  );
  expect(ran).toMatchObject({ code: 0 });

  const attempt = stage.loops.find((id) => id.startsWith("t-001")) ?? "";
  const prompt = readFileSync(
    join(stage.root, ".loop", "loops", attempt, "runs", "1-1", "prompt.md"),
    "utf8",
  );
  expect(prompt).toContain("- constraint: The plan needs one.txt, with a capital O.");
  const { out } = stage.loop("learn", "--export");
  const kept = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { kind: string; text: string });
  expect(kept.map(({ kind }) => kind).toSorted()).toEqual(["constraint", "failure"]);
  expect(kept.find(({ kind }) => kind === "failure")?.text).toMatch(/^An attempt at "Do T-001" failed: /);
});

describe("loop learn", () => {
  test("keeps a sentence, lists it, forgets it", () => {
    const shop = new Shop();
    expect(shop.loop("learn").out).toBe(
      'Nothing is kept for this project yet; add something with: loop learn "…"\n',
    );
    expect(shop.loop("learn", "The tests\u001b[31m need", "a database.").out).toMatch(
      /^Kept \w{12}: The tests need a database\.\n$/,
    );
    const [one] = shop.learned();
    expect(one).toMatchObject({ kind: "discovery", confidence: 0.9, project: shop.root, dismissed: false });
    expect(shop.loop("learn", "--list").out).toMatch(
      /^1\. discovery {2}The tests need a database\.\n {3}\w{12} · confidence 0\.90 · (just now|\d s ago)\n$/,
    );
    expect(shop.loop("learn", "--forget", one?.id.slice(0, 4) ?? "").code).toBe(0);
    expect(shop.learned()).toEqual([]);
    expect(shop.lines.join("")).not.toContain("database");
  });

  test.each<readonly [words: readonly string[], complaint: RegExp]>([
    [["x", "--kind", "gossip"], /--kind <kind>.*is invalid\. Allowed choices are failure, discovery/],
    [["x", "--confidence", "2"], /Expected a number from 0 to 1\./],
    [["x", "--list"], /^loop: Give a text, or one of --list, --forget, --prune and --export\.\n$/],
    [["--forget", "ffff"], /^loop: No learning is called "ffff"; see their ids with: loop learn --list\n$/],
    [["list"], /^loop: Options begin with dashes: loop learn --list\n$/],
    [["forget", "3f2a"], /^loop: Options begin with dashes: loop learn --forget 3f2a\n$/],
  ])("%j is refused", (words, complaint) => {
    const ran = new Shop().loop("learn", ...words);
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(complaint);
  });

  test("an agent may add, with less weight, but not judge or remove", () => {
    const shop = new Shop();
    expect(shop.agentLoop("s1", "learn", "The cart is slow.", "--confidence", "1").code).toBe(0);
    const [one] = shop.learned();
    expect(one?.confidence).toBe(0.6);
    const id = one?.id ?? "";
    for (const words of [
      ["learn", "--forget", id],
      ["learn", "--prune"],
      ["recall", "--confirm", id],
      ["recall", "--dismiss", id],
    ]) {
      expect(shop.agentLoop("s1", ...words)).toMatchObject({
        code: 1,
        err: expect.stringContaining("may only be run by the user") as string,
      });
    }
    expect(shop.learned()).toEqual([one]);
  });

  test("loses nothing when many write and prune at once", async () => {
    const shop = new Shop();
    const count = effort(6, 40, 12);
    const calls = Array.from({ length: count }, (_, index) => [
      ["learn", `Fact ${index} about the cart.`],
      ...(index % 4 === 0 ? [["learn", "--prune"]] : []),
    ]).flat();
    const ran = await shop.loopsAtOnce(calls);
    expect(ran.map(({ code, err }) => `${code}${err}`)).toEqual(calls.map(() => "0"));
    expect(shop.learned()).toHaveLength(count);
  });
});

function inTerminal(stage: Stage, ...args: readonly string[]): OnTerminal {
  return onTerminal([process.execPath, CLI, ...args], {
    cwd: stage.root,
    env: { ...stage.env, TERM: "dumb", NO_COLOR: "1" },
  });
}

describe.skipIf(missingPty() !== null)("in a terminal", () => {
  variant("a person says which apply; the others never come again", async () => {
    const shop = new Shop();
    shop.know();
    const terminal = inTerminal(shop, ...ASKING, "--script", shop.script([writes("rounded.txt")]));
    await terminal.until(/never shown here again \[decide later\] $/);
    expect(stripVTControlCharacters(terminal.text())).toMatch(
      /From earlier loops:\r\n {2}1\. discovery {2}The cart multiplies/,
    );
    terminal.type("maybe\r");
    await terminal.until(
      /Please answer all, none, or numbers such as 1 3; Enter decides later\.[^]*later\] $/,
    );
    terminal.type("1\r");
    expect(await terminal.ended).toBe(0);

    const [view] = shop.status();
    const prompt = readFileSync(
      join(shop.root, ".loop", "loops", view?.id ?? "", "runs", "1-1", "prompt.md"),
      "utf8",
    );
    expect(prompt).toContain("- discovery: The cart multiplies");
    expect(prompt).not.toContain("- failure: ");
    const [, failure] = shop.learned().toSorted((a, b) => b.confidence - a.confidence);
    expect(failure).toMatchObject({ dismissed: true, confidence: 0.25 });
    expect(shop.loop("recall", "Round the cart").out).not.toContain("did not do it");
  });

  test("a loop of shape tool asks nothing", async () => {
    const shop = new Shop();
    shop.know();
    const terminal = inTerminal(shop, ...ROUND, "--script", shop.script([writes("rounded.txt")]));
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).not.toContain("From earlier loops");
  });

  variant("another project's aren't offered unasked, and are left alone without an answer", async () => {
    const shop = new Shop();
    shop.know();
    const cwd = shop.other("library");
    const terminal = onTerminal(
      [
        process.execPath,
        CLI,
        "run",
        "Round the cart in cart.js",
        "-c",
        "r=test -f r",
        "--shape",
        "tool",
        "--script",
        shop.script([writes("r")]),
      ],
      { cwd, env: { ...shop.env, TERM: "dumb", NO_COLOR: "1" } },
    );
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).not.toContain("From earlier loops");

    const asking = onTerminal([process.execPath, CLI, "recall", "Round the cart in cart.js", "--others"], {
      cwd,
      env: { ...shop.env, TERM: "dumb", NO_COLOR: "1" },
    });
    await asking.until(/· from \S+\/project\r\n[^]*\[decide later\] $/);
    asking.type("\r");
    expect(await asking.ended).toBe(0);
    expect(shop.score("Round the cart in cart.js", cwd).familiarity).toBe(0);
  });
});

variant("an agent that isn't sure enough is not told without a person", () => {
  const shop = new Shop();
  shop.loop("learn", "The cart may be cursed.", "--confidence", "0.3");
  shop.loop(...ASKING, "--script", shop.script([{ ...writes("rounded.txt"), say: DONE }]));
  expect(shop.prompt("1-1")).not.toContain("cursed");
  expect(shop.eventsOf("learnings.recalled")).toMatchObject([
    { learnings: [{ confidence: 0.3, confirmed: null }] },
  ]);
});

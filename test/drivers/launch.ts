import { describe, expect, test } from "vitest";
import type { Launch, Turn } from "../../src/agents/drivers/driver.ts";
import { A_TURN } from "../support/turn.ts";
import type { Candidate } from "./conformance.ts";

const PROMPT = 'Fix the cart; $(touch pwned) `id` "quoted" --model evil\nsecond line';

const PLAIN: Turn = { ...A_TURN, prompt: PROMPT, folder: "/state/loop" };

/** How every driver's agent has to be started. */
export function describeLaunch(name: string, { driver, takes, permissionMode = "plan" }: Candidate): void {
  const launch = (part: Partial<Turn> = {}): Launch => driver.command({ ...PLAIN, ...part });
  const words = (part: Partial<Turn> = {}): readonly string[] => wordsOf(launch(part));

  describe(`${name} is launched`, () => {
    test("with the prompt on standard input and nowhere else", () => {
      expect(launch().stdin).toContain(PROMPT);
      const elsewhere = [...words(), ...Object.values(launch().env)].join("\0");
      expect(elsewhere).not.toMatch(/pwned|second line/);
    });

    test("the same way twice, and without a word for what is not there", () => {
      expect(launch()).toEqual(launch());
      expect(words().filter((word) => /\b(null|undefined|NaN)\b/.test(word))).toEqual([]);
    });

    test("going on with a conversation exactly where it can", () => {
      const naming = (part: Partial<Turn>): boolean => words(part).some((word) => word.includes("talk-1"));
      expect(naming({ conversation: "talk-1" })).toBe(driver.keepsConversations);
      expect(naming({})).toBe(false);
    });

    test.each(["--yolo", "-c", "../x", "a b", "x\ny", `a${"b".repeat(200)}`])(
      "as for a new conversation where the old one is called %j",
      (conversation) => {
        expect(launch({ conversation })).toEqual(launch());
      },
    );

    test.each([
      ["model", { model: "some/model-9" }],
      ["permissionMode", { permissionMode }],
      ["budgetUsd", { budgetUsd: 1.25 }],
    ] as const)("with a word for %s exactly where it has one", (field, part) => {
      const told = JSON.stringify(launch(part)) !== JSON.stringify(launch());
      expect(told).toBe(takes.includes(field));
    });

    const args = ["--extra", "two words; $(touch pwned)", "", "'"];

    test.runIf(takes.includes("args"))("with the user's arguments as words of their own", () => {
      const all = words({ args });
      const at = all.indexOf("--extra");
      expect(all.slice(at, at + args.length)).toEqual(args);
    });

    test.runIf(!takes.includes("args"))("without the user's arguments, for which it has no use", () => {
      expect(launch({ args })).toEqual(launch());
    });
  });
}

function wordsOf({ command }: Launch): readonly string[] {
  return command.kind === "argv" ? command.argv : [command.line];
}

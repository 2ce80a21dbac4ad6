import { Argument, Command, Option } from "commander";
import { expect, test } from "vitest";
import { candidates } from "./completion-candidates.ts";

function program(): Command {
  const root = new Command("loop").option("--version-of <x>", "of what");
  root
    .command("run")
    .summary("drive an agent")
    .argument("[spec...]")
    .addOption(new Option("-a, --agent <agent>", "who works").choices(["codex", "command", "gemini-cli"]))
    .addOption(new Option("--secret", "not for people").hideHelp())
    .option("-f, --file <path>", "the spec")
    .option("--script <file>", "what is played")
    .option("--budget <dollars>", "how much")
    .option("--loop <id>", "which loop")
    .option("--json", "as JSON");
  root.command("guardian", { hidden: true }).argument("[file|spec...]");
  root.command("install").addArgument(new Argument("<host>", "the agent").choices(["claude-code", "codex"]));
  const step = root.command("step").description("See the steps.").option("--loop <id>", "which loop");
  step.command("add").argument("<name>");
  step.command("done").argument("<name>");
  return root;
}

const LOOPS = [
  { value: "fix-it-1", description: "active: Fix it" },
  { value: "mend-it-2", description: "paused: Mend it" },
];

async function found(...words: readonly string[]): Promise<unknown> {
  const result = await candidates(program(), words, { loops: async () => LOOPS });
  return result.type === "files" ? "files" : result.values.map(({ value }) => value).join(" ");
}

test.each([
  ["the commands, without hidden ones", [""], "run install step help"],
  ["nothing written at all", [], "run install step help"],
  ["a command that is begun", ["in"], "install"],
  ["a command below another", ["step", ""], "add done help"],
  ["commands after help", ["help", "ru"], "run"],
  ["options once a dash is there", ["run", "--"], "--agent --file --script --budget --loop --json --help"],
  ["options where anything may come", ["run", ""], "--agent --file --script --budget --loop --json --help"],
  ["options after words", ["run", "Fix", "it", "--j"], "--json"],
  ["the values of an option", ["run", "--agent", "co"], "codex command"],
  ["the values of a short option", ["run", "-a", ""], "codex command gemini-cli"],
  ["values behind an equals sign", ["run", "--agent=co"], "--agent=codex --agent=command"],
  ["values behind an equals sign that bash made a word", ["run", "--agent", "=", "co"], "codex command"],
  ["values right behind such a sign", ["run", "--agent", "="], "codex command gemini-cli"],
  ["options after a value with such a sign", ["run", "--agent", "=", "codex", "--j"], "--json"],
  ["options after a value", ["run", "--agent", "codex", "--j"], "--json"],
  ["loops", ["run", "--loop", ""], "fix-it-1 mend-it-2"],
  ["loops that are begun", ["step", "add", "--loop", "mend"], "mend-it-2"],
  ["loops behind an equals sign", ["run", "--loop=f"], "--loop=fix-it-1"],
  ["files", ["run", "-f", "spe"], "files"],
  ["files of another option", ["run", "--script", ""], "files"],
  ["files behind an equals sign", ["run", "--script=s"], "files"],
  ["files where an argument may be one", ["guardian", "PL"], "files"],
  ["nothing where a number is wanted", ["run", "--budget", ""], ""],
  ["the choices of an argument", ["install", "c"], "claude-code codex"],
  ["no option after two dashes", ["run", "--", "--"], ""],
  ["no command after two dashes", ["run", "--", "--agent="], ""],
  ["nothing behind an option that there is not", ["run", "--what="], ""],
  ["a value that looks like a command", ["run", "--budget", "step", "--j"], "--json"],
  ["a word that looks like a command", ["run", "Fix", "step", "--j"], "--json"],
])("completion offers %s", async (_what, words, expected) => {
  expect(await found(...words)).toBe(expected);
});

test("completion offers commands and options with what they are for", async () => {
  expect(await candidates(program(), ["r"], { loops: async () => [] })).toEqual({
    type: "values",
    values: [{ value: "run", description: "drive an agent" }],
  });
  expect(await candidates(program(), ["ste"], { loops: async () => [] })).toMatchObject({
    values: [{ value: "step", description: "See the steps." }],
  });
  expect(await candidates(program(), ["run", "--loop", "f"], { loops: async () => LOOPS })).toMatchObject({
    values: [{ value: "fix-it-1", description: "active: Fix it" }],
  });
});

test("completion looks for loops only where one is wanted", async () => {
  const loops = async (): Promise<never> => {
    throw new Error("looked");
  };
  await expect(candidates(program(), ["run", "--agent", ""], { loops })).resolves.toBeDefined();
  await expect(candidates(program(), ["run", "--loop", ""], { loops })).rejects.toThrow("looked");
});

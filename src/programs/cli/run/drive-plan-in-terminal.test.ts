import { expect, test } from "vitest";
import { createTerminal } from "../../../views/terminal/terminal.ts";
import { holdLines } from "./drive-plan-in-terminal.ts";

test("lines that come while a question is open are printed after its answer, in order", async () => {
  let screen = "";
  const stream = { write: (text: string) => (screen += text) };
  const direct = createTerminal({}, { stdin: {}, stdout: stream, stderr: stream });
  const { terminal, whileAsking } = holdLines(direct);
  terminal.print("before");
  let answer: (text: string) => void = () => undefined;
  const answered = new Promise<string>((resolve) => (answer = resolve));
  const asked = whileAsking(async () => {
    direct.print("? F-1");
    return answered;
  });
  terminal.print("wave 1 review");
  terminal.complain("loop: a list is gone");
  expect(screen).toBe("before\n? F-1\n");
  answer("task");
  expect(await asked).toBe("task");
  expect(screen).toBe("before\n? F-1\nwave 1 review\nloop: a list is gone\n");
  terminal.print("after");
  expect(screen).toMatch(/after\n$/);
});

test("lines that wait for an answer are printed when the question is given up", async () => {
  let screen = "";
  const stream = { write: (text: string) => (screen += text) };
  const { terminal, whileAsking } = holdLines(
    createTerminal({}, { stdin: {}, stdout: stream, stderr: stream }),
  );
  const asked = whileAsking(async () => {
    terminal.print("meanwhile");
    throw new Error("Ctrl-C");
  });
  await expect(asked).rejects.toThrow("Ctrl-C");
  expect(screen).toBe("meanwhile\n");
});

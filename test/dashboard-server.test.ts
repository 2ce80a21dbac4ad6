import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createMachine } from "../src/storage/loops/machine.ts";
import { rememberProject } from "../src/storage/home/project.ts";
import { CLI, FINISHES, saying, Stage } from "./support/driven.ts";
import { until } from "./support/patience.ts";
import { PAGE, Served, STRANGER, type Answer } from "./support/served.ts";

function paused(): Stage {
  const stage = new Stage();
  stage.run(
    [
      { say: "Not yet.", usd: 0.01 },
      { say: "Not yet.", usd: 0.01 },
    ],
    "--iterations",
    "1",
  );
  return stage;
}

test("only this machine's own name, page and code are let in, and a code only once, for a minute", async () => {
  let now = Date.now();
  const served = await Served.of(new Stage(), { now: () => now });
  const { port } = served.dashboard;
  const login = async (code: string, headers: { readonly [name: string]: string } = {}): Promise<number> =>
    (await served.ask("/api/login", STRANGER, headers, { code })).status;
  // Another name that leads here is how a page elsewhere gets around the browser's rules.
  for (const host of [`evil.example:${port}`, `localhost:${port}`, "127.0.0.1", `127.0.0.1:${port + 1}`])
    expect((await served.ask("/", STRANGER, { Host: host })).status).toBe(421);
  const code = served.newCode();
  expect(await login(code, { Origin: "http://evil.example" })).toBe(403);
  expect(await login(code, { Origin: "null" })).toBe(403);
  expect(await login(code, { "Sec-Fetch-Site": "cross-site" })).toBe(403);
  expect(await login(code, { "Content-Type": "text/plain" })).toBe(415);
  expect(
    (
      await promisify(execFile)("curl", [
        "-s",
        "-o",
        "/dev/null",
        "-w",
        "%{http_code}",
        "-H",
        "Content-Type: application/json",
        "-d",
        JSON.stringify({ code }),
        `${served.origin}/api/login`,
      ])
    ).stdout,
  ).toBe("403");
  expect(await login(code)).toBe(200);
  expect(await login(code)).toBe(403);
  expect(await login("guessed")).toBe(403);
  const old = served.newCode();
  now += 61_000;
  expect(await login(old)).toBe(403);
  for (let wrong = 0; wrong < 12; wrong += 1) await login(`guessed ${wrong}`);
  expect(await login(served.newCode())).toBe(429);
});

test("the data needs the cookie and the key: another server on this machine learns only the first", async () => {
  const served = await Served.of(new Stage());
  const visitor = await served.enter();
  const { Cookie = "", "X-Loopwright-Key": key = "" } = visitor.headers;
  expect((await served.ask("/api/board", visitor)).status).toBe(200);
  for (const headers of [{}, { Cookie }, { "X-Loopwright-Key": key }, { Cookie, "X-Loopwright-Key": "x" }])
    expect((await served.ask("/api/board", { headers })).status).toBe(401);
  expect((await served.ask("/api/events", STRANGER)).status).toBe(401);
  expect((await served.ask("/api/board", visitor, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  expect((await served.ask("/api/events", visitor, { Origin: "http://evil.example" })).status).toBe(403);
  const page = await served.ask("/", STRANGER);
  expect(page.body).toBe(PAGE.html);
  expect(page.headers).toMatchObject({
    "content-security-policy": PAGE.policy,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  });
});

test("no path leads out of the known loops, and nothing is changed by a GET or a long body", async () => {
  const stage = paused();
  const served = await Served.of(stage);
  const visitor = await served.enter();
  const [row] = await served.rows(visitor);
  const before = stage.read(`.loop/loops/${stage.id}/journal.jsonl`);
  for (const path of [
    "/../../etc/passwd",
    "/l/..%2f..%2fetc/passwd",
    "/api/loops/../../etc",
    `/api/loops/${row?.key.split("/")[0]}/..%2f..%2fhome`,
    `/api/loops/${row?.key}/turn/..%2f..%2fjournal.jsonl?part=output`,
    `/api/loops/${row?.key}/turn/../../journal.jsonl`,
    `/api/loops/unknown-00000000/${stage.id}`,
  ])
    expect([404, 422]).toContain((await served.ask(path, visitor)).status);
  // It is the page's own address, written in a roundabout way.
  expect((await served.ask("/api/loops/%2e%2e/%2e%2e", visitor)).body).toBe(PAGE.html);
  expect((await served.ask(`/api/loops/${row?.key}/act?action=cancel`, visitor)).status).toBe(404);
  const long = { seq: row?.seq, decision: null, action: { type: "cancel" }, more: "x".repeat(70_000) };
  expect((await served.ask(`/api/loops/${row?.key}/act`, visitor, {}, long)).status).toBe(400);
  const forged = {
    seq: row?.seq,
    decision: null,
    action: { type: "resolve", finding: "--help; rm", decision: "fix" },
  };
  expect((await served.ask(`/api/loops/${row?.key}/act`, visitor, {}, forged)).status).toBe(400);
  expect(stage.read(`.loop/loops/${stage.id}/journal.jsonl`)).toBe(before);
});

test("a button is the program's own command: it says what it would run, and 409 once the loop moved on", async () => {
  const stage = paused();
  const served = await Served.of(stage);
  const visitor = await served.enter();
  const [row] = await served.rows(visitor);
  expect(row).toMatchObject({
    group: "needs",
    needs: { kind: "limit", commands: [`loop continue --loop ${stage.id} --iterations=1`] },
  });
  const act = async (seq: number, action: object): Promise<Answer> =>
    served.ask(`/api/loops/${row?.key}/act`, visitor, {}, { seq, decision: null, action });
  expect((await act((row?.seq ?? 0) - 1, { type: "cancel" })).status).toBe(409);
  expect(stage.eventsOf("loop.cancelled")).toEqual([]);
  expect((await act(row?.seq ?? 0, { type: "cancel" })).status).toBe(200);
  expect(stage.eventsOf("loop.cancelled")).toEqual([{ type: "loop.cancelled", by: "person" }]);
  const again = await act(row?.seq ?? 0, { type: "cancel" });
  expect(again.status).toBe(409);
});

test("continuing drives the loop on by itself, with what was added", async () => {
  const stage = new Stage();
  stage.run([{ say: "Not yet.", usd: 0.01 }, FINISHES], "--iterations", "1");
  const served = await Served.of(stage);
  const visitor = await served.enter();
  const [row] = await served.rows(visitor);
  const action = { type: "continue", iterations: 2, say: "Write done.txt, please." };
  const answer = await served.ask(
    `/api/loops/${row?.key}/act`,
    visitor,
    {},
    { seq: row?.seq, decision: null, action },
  );
  expect(answer).toMatchObject({ status: 200 });
  await until(() => stage.eventsOf("loop.completed").length === 1, "the loop was completed");
  expect(stage.eventsOf("loop.continued")).toMatchObject([{ addedIterations: 2, by: "person" }]);
  expect(stage.eventsOf("words.told")).toMatchObject([{ text: "Write done.txt, please." }]);
});

test.runIf(process.platform === "linux")(
  "read-only, and for an agent's process, no button works",
  async () => {
    const stage = paused();
    const reading = await Served.of(stage, { readOnly: "Read-only." });
    const reader = await reading.enter();
    const [row] = await reading.rows(reader);
    const body = { seq: row?.seq, decision: null, action: { type: "cancel" } };
    expect((await reading.ask(`/api/loops/${row?.key}/act`, reader, {}, body)).status).toBe(403);
    const served = await Served.of(stage);
    const visitor = await served.enter();
    // An agent that got hold of everything a browser has.
    const headers = { ...visitor.headers, Origin: served.origin, "Content-Type": "application/json" };
    const args = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
    const { stdout } = await promisify(execFile)(
      "curl",
      ["-s", ...args, "-d", JSON.stringify(body), `${served.origin}/api/loops/${row?.key}/act`],
      { env: { ...stage.env, CLAUDECODE: "1" } },
    );
    expect(stdout).toContain("An agent can't press buttons here");
    expect(stage.eventsOf("loop.cancelled")).toEqual([]);
  },
);

test("a stranger's loop shows a reason and a command, and none of its text", async () => {
  const author = new Stage();
  author.run([{ say: "EVIL WORDS" }], "--iterations", "1");
  const stage = new Stage();
  mkdirSync(join(stage.root, ".loop"));
  cpSync(join(author.root, ".loop"), join(stage.root, ".loop"), { recursive: true });
  rememberProject(createMachine(stage.env, stage.root).home, stage.root, Date.now());
  const served = await Served.of(stage);
  const visitor = await served.enter();
  const board = await served.ask("/api/board", visitor);
  expect(board.body).not.toContain("EVIL WORDS");
  expect(board.body).not.toContain("Write done.txt");
  const [row] = await served.rows(visitor);
  expect(row).toMatchObject({
    phase: "untrusted",
    spec: null,
    needs: {
      kind: "trust",
      sentence: "It was not opened on this machine",
      commands: [`loop trust ${author.id}`],
    },
  });
  for (const what of ["log", "work", "done", "review", "export", "turn/1-1", "events"])
    expect((await served.ask(`/api/loops/${row?.key}/${what}`, visitor)).status).toBe(404);
  expect((await served.ask(`/api/loops/${row?.key}`, visitor)).body).not.toContain("EVIL WORDS");
});

test("a reader that was away gets what it missed, and everything from another server", async () => {
  const stage = paused();
  const served = await Served.of(stage);
  const visitor = await served.enter();
  await served.rows(visitor);
  const first = await served.ask("/api/events", visitor);
  expect(first.body).toContain("event: reset");
  const [, id = ""] = /^id: (\S+)$/m.exec(first.body) ?? [];
  stage.loop("cancel");
  await served.rows(visitor);
  const missed = await served.ask(`/api/events?from=${id}`, visitor);
  expect(missed.body).toContain("event: rows");
  expect(missed.body).toContain('"phase":"cancelled"');
  expect((await served.ask("/api/events?from=00000000.1", visitor)).body).toContain("event: reset");
  const records = await served.ask(
    `/api/loops/${(await served.rows(visitor))[0]?.key}/events?after=2`,
    visitor,
  );
  expect(records.body).toContain("event: records");
  expect(records.body).not.toContain('"seq":2,');
});

test("what a failing proof printed is kept, with its command and exit code, and told in the status", () => {
  const stage = new Stage({ "done.test.sh": "test -f done.txt && test -f more.txt\n" });
  stage.loop(
    ...[
      "run",
      "Write done.txt and more.txt",
      "-c",
      "all=sh done.test.sh || { echo 'more.txt is missing'; exit 3; }",
    ],
    ...[
      "--script",
      stage.script([
        {
          do: [
            { write: "done.txt", text: "x" },
            { write: "done.test.sh", text: "true\n" },
          ],
          say: saying("Done.", "EXIT_SIGNAL: true"),
          usd: 0.01,
        },
      ]),
    ],
    ...["--iterations", "1"],
  );
  const { loops } = JSON.parse(stage.loop("status", "--json").out) as {
    readonly loops: readonly [{ readonly iterations: readonly object[]; readonly root: string }];
  };
  expect(loops[0]).toMatchObject({
    root: stage.root,
    driver: { alive: false, agent: "a rehearsal" },
    iterations: [
      {
        iteration: 1,
        claimed: true,
        verdict: "paused",
        contradiction: { by: "judge", name: "all" },
        costUsd: 0.01,
        proofs: expect.arrayContaining([
          expect.objectContaining({
            kind: "judge",
            result: "fails",
            ran: expect.objectContaining({
              exitCode: 3,
              output: expect.stringContaining("more.txt is missing"),
            }),
          }),
        ]),
      },
    ],
  });
});

test("the lines behind a claim that did not hold are shown, the tests that gave it away first, in an exported file too", async () => {
  const stage = new Stage({ "a.sh": "true\n", "done.test.sh": "test -f done.txt\ntest -f more.txt\n" });
  const bent = { write: "done.test.sh", text: "test -f done.txt\n" };
  const mended = { write: "done.test.sh", text: "test -f done.txt\ntest -f more.txt\n" };
  const claims = (...acts: readonly object[]): object => ({
    do: acts,
    say: saying("Done.", "EXIT_SIGNAL: true"),
    usd: 0.01,
  });
  stage.loop(
    ...["run", "Write done.txt and more.txt", "-c", "all=sh -e done.test.sh"],
    ...[
      "--script",
      stage.script([
        claims({ write: "a.sh", text: `${"x".repeat(5_000)}\n` }, { write: "done.txt", text: "x" }, bent),
        claims(mended, { write: "more.txt", text: "x" }),
      ]),
    ],
  );
  expect(stage.eventsOf("loop.completed")).toHaveLength(1);
  const served = await Served.of(stage);
  const visitor = await served.enter();
  const [row] = await served.rows(visitor);
  const { body } = await served.ask(`/api/loops/${row?.key}/done`, visitor);
  expect(JSON.parse(body)).toEqual([
    {
      depth: 1,
      iteration: 1,
      files: [
        { path: "done.test.sh", lines: [{ kind: "removed", line: null, text: "test -f more.txt" }], more: 0 },
        {
          path: "a.sh",
          lines: [
            { kind: "removed", line: null, text: "true" },
            { kind: "added", line: 1, text: `${"x".repeat(400)}…` },
          ],
          more: 0,
        },
      ],
    },
  ]);
  const at = { cwd: stage.root, env: stage.env };
  await promisify(execFile)(process.execPath, [CLI, "export", "--out", "report.html"], at);
  expect(stage.read("report.html")).toContain('"kind":"removed","line":null,"text":"test -f more.txt"');
});

test("the lines behind the last claim are shown, too, once nobody works on them", async () => {
  const stage = new Stage({ "done.test.sh": "test -f done.txt\ntest -f more.txt\n" });
  const acts = [
    { write: "done.txt", text: "x" },
    { write: "done.test.sh", text: "test -f done.txt\n" },
  ];
  stage.loop(
    ...["run", "Write done.txt and more.txt", "-c", "all=sh -e done.test.sh", "--iterations", "1"],
    ...["--script", stage.script([{ do: acts, say: saying("Done.", "EXIT_SIGNAL: true"), usd: 0.01 }])],
  );
  expect(stage.eventsOf("loop.completed")).toEqual([]);
  const served = await Served.of(stage);
  const visitor = await served.enter();
  const [row] = await served.rows(visitor);
  const { body } = await served.ask(`/api/loops/${row?.key}/done`, visitor);
  expect(JSON.parse(body)).toMatchObject([
    {
      iteration: 1,
      files: [
        { path: "done.test.sh", lines: [{ kind: "removed", line: null, text: "test -f more.txt" }], more: 0 },
        { path: "done.txt", lines: [{ kind: "added", line: 1, text: "x" }], more: 0 },
      ],
    },
  ]);
});

test("undoing takes back what was shown, and nothing once other files changed meanwhile", async () => {
  const stage = new Stage();
  stage.run([{ do: [{ write: "a.txt", text: "a\n" }], say: "Not yet.", usd: 0.01 }], "--iterations", "1");
  const served = await Served.of(stage);
  const visitor = await served.enter();
  const [row] = await served.rows(visitor);
  const shown = async (): Promise<{ readonly digest: string; readonly files: readonly object[] }> =>
    JSON.parse(
      (await served.ask(`/api/loops/${row?.key}/decision?of=undo&iteration=1`, visitor)).body,
    ) as Awaited<ReturnType<typeof shown>>;
  const undo = async (decision: string): Promise<number> =>
    (
      await served.ask(
        `/api/loops/${row?.key}/act`,
        visitor,
        {},
        {
          ...{ seq: row?.seq, decision },
          action: { type: "undo", iteration: 1, continues: false },
        },
      )
    ).status;
  const before = await shown();
  expect(before.files).toEqual([{ path: "a.txt", change: "added", added: 1, removed: 0, lines: [] }]);
  stage.write({ "b.txt": "mine\n" });
  expect(await undo(before.digest)).toBe(409);
  expect(stage.read("a.txt")).toBe("a\n");
  rmSync(join(stage.root, "b.txt"));
  expect(await undo(before.digest)).toBe(200);
  expect(existsSync(join(stage.root, "a.txt"))).toBe(false);
  expect(stage.eventsOf("checkpoint.restored")).toHaveLength(1);
});

test("trusting shows every command that it lets run, and then the loop is shown", async () => {
  const author = new Stage();
  author.run([{ say: "Not yet." }], "--iterations", "1");
  const stage = new Stage();
  cpSync(join(author.root, ".loop"), join(stage.root, ".loop"), { recursive: true });
  rememberProject(createMachine(stage.env, stage.root).home, stage.root, Date.now());
  const served = await Served.of(stage);
  const visitor = await served.enter();
  const [row] = await served.rows(visitor);
  const { body } = await served.ask(`/api/loops/${row?.key}/decision?of=trust`, visitor);
  const { commands, digest } = JSON.parse(body) as {
    readonly commands: readonly string[];
    readonly digest: string;
  };
  expect(commands.join("\n")).toContain("test -f done.txt");
  const trust = async (decision: string | null): Promise<number> =>
    (
      await served.ask(
        `/api/loops/${row?.key}/act`,
        visitor,
        {},
        {
          ...{ seq: row?.seq, decision, action: { type: "trust" } },
        },
      )
    ).status;
  expect(await trust(null)).toBe(409);
  expect(await trust(digest)).toBe(200);
  expect((await served.rows(visitor))[0]).toMatchObject({ phase: "paused", spec: "Write done.txt" });
});

test("pausing lets the turn end at once, and the journal names the person", async () => {
  const stage = new Stage();
  const driving = stage.drive(stage.opening([{ do: [{ run: stage.meet("work") }], say: "Not yet." }]));
  await stage.met("work");
  const served = await Served.of(stage);
  const visitor = await served.enter();
  const [row] = await served.rows(visitor);
  expect(row).toMatchObject({ group: "running", driver: "a rehearsal" });
  const body = { seq: row?.seq, decision: null, action: { type: "pause" } };
  expect((await served.ask(`/api/loops/${row?.key}/act`, visitor, {}, body)).status).toBe(200);
  expect(stage.eventsOf("loop.paused")).toMatchObject([{ reason: "user", by: "person" }]);
  stage.letGo("work");
  await driving.ended();
});

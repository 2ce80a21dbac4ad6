import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { DESCRIPTIONS } from "../src/agents/hosts/described/descriptions.ts";
import { findHost, recogniseHost } from "../src/agents/hosts/hosts.ts";
import type { Payload } from "../src/agents/hosts/payload.ts";
import { someOf } from "./support/effort.ts";
import { inProcess } from "./support/in-process.ts";
import { Sandbox, type Ran } from "./support/sandbox.ts";

/** What real clients sent to a hook, and what became of it. */

const RECORDED = join("test", "fixtures", "hosts");

interface Recorded {
  readonly name: string;
  readonly word: string;
  readonly payload: Payload;
  /** The transcript as it was when the client called. */
  readonly transcript: string | null;
}

function recordedOf(id: string): readonly Recorded[] {
  const names = readdirSync(join(RECORDED, id)).filter((name) => name.endsWith(".json"));
  return names.map((name) => {
    const path = join(RECORDED, id, name);
    const beside = readdirSync(dirname(path)).find(
      (each) => each === name.replace(".json", ".transcript.jsonl"),
    );
    return {
      name,
      word: name.replace(/^\d+-|\.json$/g, ""),
      payload: JSON.parse(readFileSync(path, "utf8")) as Payload,
      transcript: beside === undefined ? null : readFileSync(join(dirname(path), beside), "utf8"),
    };
  });
}

const HOSTS = readdirSync(RECORDED).map((id) => ({ id, host: findHost(id) ?? expect.unreachable(id) }));
/** Their plugins call us with Claude Code's names. */
const BRIDGED: readonly string[] = DESCRIPTIONS.filter(({ install }) => install.hooks.form === "bridge").map(
  ({ id }) => id,
);
const HOLD = 'HOLD-ME-4711: stop 1 refused, the checks fail.\nSecond line "quoted" ✗';

describe.each(HOSTS)("what $id sent", ({ id, host }) => {
  const recorded = recordedOf(id);
  const ofWord = (word: string): readonly Recorded[] => recorded.filter((each) => each.word === word);

  test("is known to be its own, whatever the settings say, unless our own bridge sent it and says so", () => {
    const said = BRIDGED.includes(id) ? id : "claude-code";
    const senders = recorded.map(({ name, payload }) => [name, recogniseHost(payload, said).id]);
    expect(senders).toEqual(recorded.map(({ name }) => [name, id]));
  });

  test("has a session and a folder", () => {
    for (const { word, payload } of recorded)
      expect(host.read(word, payload, {})).toMatchObject({
        session: payload["session_id"],
        folder: payload["cwd"],
      });
  });

  test("has the prompt of a person, and nothing that the client asks by itself", () => {
    const prompts = ofWord("user-prompt-submit").map(({ payload }) =>
      host.read("user-prompt-submit", payload, {}),
    );
    const texts = prompts.flatMap(({ event }) => (event.type === "prompted" ? [event.text] : []));
    // Our own hold is told by its words, which only the engine knows.
    expect(texts.filter((each) => each !== HOLD)).toEqual(prompts.length === 0 ? [] : ["Fix the thing"]);
  });

  const stops = ofWord("stop").map((each, index) => ({
    ...each,
    isSecond: index > 0,
    answer: ["ANSWER-ONE: all done.", "ANSWER-TWO: fixed now."][index] ?? "",
  }));

  test("is a stop, which follows a hold the second time", () => {
    expect(stops.map(({ payload }) => host.read("stop", payload, {}).event)).toMatchObject(
      stops.map(({ isSecond }) => ({ type: "stopped", kind: "end-of-turn", continuesHold: isSecond })),
    );
  });

  /** Copilot CLI wrote it a moment later, and Kimi Code nowhere. */
  const written = stops.filter(({ transcript, answer }) => transcript?.includes(answer) === true);

  test.runIf(written.length > 0)("has the last message in the transcript, and nothing before it", () => {
    for (const { transcript, answer } of written) {
      expect(host.transcript?.endsWithAnswer(transcript ?? "", answer)).toBe(true);
      expect(host.transcript?.endsWithAnswer(transcript ?? "", "Something else.")).toBe(false);
    }
    const said = written.map(({ transcript }) => host.transcript?.lastAnswer(transcript ?? ""));
    expect(host.isMessageInTranscript ? said : []).toEqual(
      host.isMessageInTranscript ? written.map(({ answer }) => answer) : [],
    );
  });

  const sends = ["codex", "qwen-code", ...BRIDGED].includes(id);
  test.runIf(sends)("has the last message in the payload", () => {
    expect(stops.map(({ payload }) => host.read("stop", payload, {}).event)).toMatchObject(
      stops.map(({ answer }) => ({ message: answer })),
    );
  });
});

test("every host that a description is of has sent something", () => {
  expect(HOSTS.map(({ id }) => id).toSorted()).toEqual(DESCRIPTIONS.map(({ id }) => id).toSorted());
});

const HOSTILE: readonly unknown[] = [
  null,
  0,
  "",
  "\u0000",
  "../../etc/passwd",
  "/dev/zero",
  "/proc/self/mem",
  "x".repeat(100_000),
  ["x"],
  { toString: "x" },
];

describe.each(HOSTS)("what $id sent, with one part of it replaced", ({ id }) => {
  test("holds nobody without a loop, reads no device, and is answered with nothing or one object", () => {
    const sandbox = new Sandbox();
    for (const { word, payload } of recordedOf(id)) {
      for (const field of Object.keys(payload)) {
        for (const value of someOf(HOSTILE, 2)) {
          const input = JSON.stringify({ ...payload, cwd: sandbox.root, [field]: value });
          const words = [word, "--host", id];
          const ran = inProcess({ program: "hook", words, cwd: sandbox.root, env: sandbox.env, input });
          expect([field, ran.code, ran.out.includes('"decision"')]).toEqual([field, 0, false]);
          expect(ran.out === "" || typeof JSON.parse(ran.out) === "object").toBe(true);
        }
      }
    }
  });
});

/** The same story in every host: its own payloads, with our session, in a project of ours. */
describe.each(HOSTS)("a loop in $id", ({ id, host }) => {
  const first = (word: string): Payload =>
    recordedOf(id).find((each) => each.word === word)?.payload ?? { hook_event_name: word };

  class Session {
    readonly sandbox = new Sandbox();
    readonly transcript = join(this.sandbox.home, "transcripts", this.#name());

    /** Where the client would have it, so that the payload stays its own. */
    #name(): string {
      const path = first("stop")["transcript_path"];
      if (typeof path !== "string") return "none.jsonl";
      const session = String(first("stop")["session_id"]);
      return path.split("/").slice(-3).join("/").replaceAll(session, "s1");
    }

    start(...limits: readonly string[]): void {
      mkdirSync(dirname(this.transcript), { recursive: true });
      this.call("session-start");
      const started = this.loop("start", "Write a.txt", "-c", "a=cat a.txt", "--shape", "tool", ...limits);
      if (started.code !== 0) throw new Error(started.err);
    }

    /** As its agent calls it. */
    loop(...args: readonly string[]): Ran {
      return this.sandbox.loopWith({ env: { LOOP_HOST: id, LOOP_HOST_SESSION: "s1" } }, ...args);
    }

    call(word: string, more: Payload = {}): Ran {
      const payload = {
        ...first(word),
        session_id: "s1",
        cwd: this.sandbox.root,
        ...(first(word)["transcript_path"] === undefined ? {} : { transcript_path: this.transcript }),
        ...more,
      };
      return inProcess({
        program: "hook",
        words: [word, "--host", id],
        cwd: this.sandbox.root,
        env: this.sandbox.env,
        input: JSON.stringify(payload),
      });
    }

    /** What the agent reads, or else the user. */
    stop(continues: boolean): string {
      const { out, err } = this.call("stop", { stop_hook_active: continues });
      return (JSON.parse(out === "" ? "{}" : out) as { reason?: string }).reason ?? `${err}${out}`;
    }

    turns(): number {
      const journal = this.sandbox.read(join(".loop", "loops", this.sandbox.only().id, "journal.jsonl"));
      return journal.split('"turn.started"').length - 1;
    }
  }

  /** As this client reports one. */
  const promptOf = (text: string): Payload =>
    id === "kimi" ? { prompt: [{ type: "text", text }] } : { prompt: text, submitted_prompt: text };

  test("holds, isn't taken in by its own words as a prompt, and lets go when it is true", () => {
    const session = new Session();
    session.start();
    const held = session.stop(false);
    expect(held).toContain("unmet criteria: a");
    session.call("user-prompt-submit", promptOf(held));
    expect(session.turns()).toBe(0);
    session.call("user-prompt-submit", promptOf("And now?"));
    expect(session.turns()).toBe(1);
    session.sandbox.write({ "a.txt": "a\n" });
    expect(session.loop("done").code).toBe(0);
    expect(session.stop(true)).toContain("✓ done: a");
  });

  test("pauses before the client ignores a hold, and says what to do", () => {
    const { event } = host.read("stop", first("stop"), {});
    const cap = event.type === "stopped" ? event.promptCap : null;
    if (cap === null) return;
    const session = new Session();
    session.start("--iterations", "50", "--stuck-limit", "0", "--same-error-limit", "0");
    for (let hold = 0; hold < cap.most; hold += 1) {
      // Otherwise it would pause for want of progress.
      session.sandbox.write({ "notes.txt": `${hold}\n` });
      expect(session.stop(hold > 0)).toContain("[ITERATION");
    }
    session.sandbox.write({ "notes.txt": "last\n" });
    expect(session.stop(true)).toContain(`${host.title} lets a hook hold one prompt`);
  });
});

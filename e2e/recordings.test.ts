import { afterAll, expect, test } from "vitest";
import type { JsonObject } from "./messages-api.ts";
import type { Scenario } from "./model-server.ts";
import { EVENTS, Recorder, type Answers } from "./recorder.ts";
import { distinct, formOf, readRecording, samplesOf, writeRecording, type Sample } from "./recording.ts";
import { World, bash } from "./world.ts";

/** Set to write the recordings anew instead of holding the client to them. */
const RECORD = process.env["E2E_RECORD"] === "1";

const SKILL = `---
description: Opens a loop
---
Session \${CLAUDE_SESSION_ID}. Arguments: $ARGUMENTS. Ran: !\`echo $((40 + 2))\`
`;

interface Session {
  readonly prompt: string;
  readonly args?: readonly string[];
  readonly permissionMode?: "default" | "plan";
  readonly env?: { readonly [name: string]: string };
  /** Goes on with the session before. */
  readonly resumes?: boolean;
}

interface Case {
  readonly name: string;
  readonly scenario: Scenario;
  readonly answers?: Answers;
  readonly sessions: readonly Session[];
}

const tool = (name: string, input: JsonObject) => ({ name, input });
const agent = (background: boolean) =>
  tool("Agent", {
    description: "Look around",
    prompt: "Look around and report.",
    subagent_type: "general-purpose",
    run_in_background: background,
  });
const failing = (status: number, type: string) => ({ error: { status, type, message: "scripted error" } });

const CASES: readonly Case[] = [
  {
    name: "a skill typed by a person, tools, one hold",
    sessions: [{ prompt: "/recorder:start fix the tests" }],
    answers: { Stop: [{ decision: "block", reason: "Not yet." }] },
    scenario: {
      main: [
        { text: "First.", tools: [bash("echo hello"), bash("echo trouble >&2; exit 3")] },
        { tools: [tool("Write", { file_path: "notes.txt", content: "one\n" })] },
        { tools: [tool("Edit", { file_path: "notes.txt", old_string: "one", new_string: "two" })] },
        { tools: [tool("Read", { file_path: "notes.txt" })] },
        { tools: [bash("mkdir -p below && cd below")] },
        { text: "All done." },
        { text: "Really done." },
      ],
    },
  },
  {
    name: "a skill called by the model",
    sessions: [{ prompt: "Go" }],
    scenario: {
      main: [{ tools: [tool("Skill", { skill: "recorder:start", args: "fix" })] }, { text: "Done." }],
    },
  },
  {
    name: "a subagent",
    sessions: [{ prompt: "Delegate it" }],
    scenario: {
      main: [{ tools: [agent(false)] }, { text: "Done." }],
      subagents: [{ tools: [bash("echo below")] }, { text: "Report." }],
    },
  },
  {
    name: "a subagent and a shell in the background",
    sessions: [{ prompt: "Delegate it" }],
    scenario: {
      main: [
        {
          tools: [
            agent(true),
            { ...bash("sleep 4"), input: { ...bash("sleep 4").input, run_in_background: true } },
          ],
        },
        { text: "Waiting." },
      ],
      subagents: [{ tools: [bash("sleep 2")] }, { text: "Report." }],
    },
  },
  {
    name: "tasks and a cron job",
    sessions: [{ prompt: "Plan it", env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" } }],
    scenario: {
      main: [
        { tools: [tool("TaskCreate", { subject: "One", description: "The first one" })] },
        { tools: [tool("TaskUpdate", { taskId: "1", status: "completed" })] },
        { tools: [tool("CronCreate", { cron: "*/5 * * * *", prompt: "Look again", recurring: true })] },
        { text: "Done." },
      ],
    },
  },
  {
    name: "a resume, /compact and a fork",
    sessions: [
      { prompt: "Begin" },
      { prompt: "Go on", resumes: true },
      { prompt: "/compact keep the names", resumes: true },
      { prompt: "Go elsewhere", resumes: true, args: ["--fork-session"] },
    ],
    scenario: {
      main: [{ tools: [bash("echo one")] }, { text: "Begun." }, { text: "More." }, { text: "Forked." }],
    },
  },
  {
    name: "a compaction by itself",
    sessions: [{ prompt: "Go", env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" } }],
    scenario: {
      main: [
        { tools: [bash("echo one")] },
        { tools: [bash("echo two")] },
        { tools: [bash("echo three")], usage: { input_tokens: 190_000 } },
        { text: "Done." },
      ],
    },
  },
  {
    name: "an error that is not retried",
    sessions: [{ prompt: "Go" }],
    scenario: { main: [failing(400, "invalid_request_error")] },
  },
  {
    name: "a limit",
    sessions: [{ prompt: "Go", env: { CLAUDE_CODE_MAX_RETRIES: "0" } }],
    scenario: { main: [failing(429, "rate_limit_error")] },
  },
  {
    name: "an overload",
    sessions: [{ prompt: "Go", env: { CLAUDE_CODE_MAX_RETRIES: "0" } }],
    scenario: { main: [failing(529, "overloaded_error")] },
  },
  {
    name: "plan mode, with --init",
    sessions: [{ prompt: "Go", permissionMode: "plan", args: ["--init"] }],
    scenario: { main: [{ text: "This is the plan." }] },
  },
  {
    name: "a tool that is not allowed",
    sessions: [{ prompt: "Go", permissionMode: "default" }],
    scenario: { main: [{ tools: [bash("touch made")] }, { text: "It was refused." }] },
  },
];

const recorded: Sample[] = [];

test.each(CASES)(
  "Claude Code sends its hooks what was recorded: $name",
  async ({ name, sessions, scenario, answers }) => {
    const world = await World.create({ "CLAUDE.md": "# Rules of this project\n" }, scenario);
    const recorder = new Recorder(world.home, answers, { "skills/start/SKILL.md": SKILL });
    let before: string | undefined;
    for (const { resumes, ...session } of sessions) {
      const resume = resumes === true && before !== undefined ? { resume: before } : {};
      const run = await world.claude({ ...session, ...resume, pluginDir: recorder.pluginDir });
      expect(run).toMatchObject({ timedOut: false, stderr: "" });
      before = run.result?.session_id;
    }
    expect(world.server.outside).toEqual([]);

    const givenEnv = sessions.flatMap(({ env }) => Object.keys(env ?? {}));
    const seen = samplesOf(name, world, recorder, givenEnv);
    recorded.push(...seen);
    if (RECORD) return;
    const known = EVENTS.flatMap(readRecording);
    expect(formsMissing(known, seen)).toEqual([]);
    expect(
      formsMissing(
        seen,
        known.filter((sample) => sample.scenario === name),
      ),
    ).toEqual([]);
  },
);

/** Forms of `samples` that are not in `all`. */
function formsMissing(all: readonly Sample[], samples: readonly Sample[]): readonly string[] {
  const forms = new Set(all.map(formOf));
  return samples.map(formOf).filter((form) => !forms.has(form));
}

afterAll(() => {
  if (!RECORD) return;
  for (const event of EVENTS) {
    const samples = distinct(recorded.filter((sample) => sample.event === event));
    if (samples.length > 0) writeRecording(event, samples);
  }
});

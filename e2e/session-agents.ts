import { existsSync } from "node:fs";
import { join } from "node:path";
import { LOSES_RETURNS, WHOLE_SCRIPTS } from "../test/support/whole-story.ts";
import type { RecordedRequest, Turn } from "./model-server.ts";
import { bash } from "./world.ts";

/** What the user of the session says to the questions. */
export const ANSWERS = "1A, 2A, 3A, 4A, 5A";

const PLAN = `### T-001: Sum the prices in total()
verify: npm run test

### T-002: Write notes.txt about the cart
blocked by: T-001
verify: test -f notes.txt
`;

const subagent = (type: string, prompt: string): NonNullable<Turn["tools"]>[number] => ({
  name: "Agent",
  input: { description: "One piece of it", prompt, subagent_type: `loop:${type}` },
});
const reviewer = (command: string): ReturnType<typeof subagent> => subagent("reviewer", `Run: ${command}`);

/**
 * The session's own agent. It does what it last heard from `loop`, from its user or from the hook, and remembers nothing: so it
 * goes on from wherever it was killed.
 */
export function leads({ newText, toolResults }: RecordedRequest): Turn {
  const heard = [newText, ...toolResults.map(({ text }) => text)].join("\n");
  if (newText.includes(ANSWERS)) return { tools: [bash(`loop answer '${ANSWERS}'`)] };
  if (newText.includes("# Loop\n")) return { tools: [bash(OPENING)] };
  if (heard.includes("leaves this open (")) return { text: "Which of these do you mean?" };
  if (heard.includes("loop start --plan -"))
    return { tools: [bash(`loop start --plan - <<'END_OF_PLAN'\n${PLAN}END_OF_PLAN`)] };
  const claimed = heard.split(/^(?=--- [A-Z]+-\d+, attempt)/m).filter((part) => part.startsWith("--- "));
  const reviewers = [...heard.matchAll(/^ {2}(loop review brief .*)$/gm)].map(([, command = ""]) =>
    reviewer(command),
  );
  if (claimed.length + reviewers.length > 0)
    return { tools: [...claimed.map((part) => subagent("worker", part)), ...reviewers] };
  const [, stuck = null] = /(\S+) failed\. First give/.exec(heard) ?? [];
  if (stuck !== null) return { tools: [reviewer(`loop task counsel ${stuck}`)] };
  const [, ready = null] = /(?:At work|Ready): [^\n]*`(loop task claim [^`]+)`/.exec(heard) ?? [];
  const [wave = null] = /loop review panel --wave \d+/.exec(heard) ?? [];
  if (ready !== null) return { tools: [...(wave === null ? [] : [bash(wave)]), bash(ready)] };
  if (/Next: .*: loop answer/.test(heard)) return { tools: [bash("loop answer")] };
  if (heard.includes("Every task is merged.")) return { tools: [bash("loop review panel")] };
  return { text: "That is all for now." };
}

const OPENING = `loop start --workflow --iterations 50 -f - <<'END_OF_SPEC'
Make the cart better
END_OF_SPEC`;

/** A subagent that works on its task, or answers the brief that it has to read. */
export function works(request: RecordedRequest): Turn {
  const { messages } = request.body;
  // The client's own messages name every kind of subagent.
  const asked = messages.flatMap(({ role, content }) => (role === "user" ? [JSON.stringify(content)] : []));
  const turn = messages.filter(({ role }) => role === "assistant").length;
  const [, command = null] =
    /Run: (loop (?:review brief(?: --wave \d+)?(?: --as [a-z-]+)?|task counsel [A-Z]+-\d+))/.exec(
      asked.join(),
    ) ?? [];
  if (command !== null) return answers(request, command, turn);
  const [, task = "", number = "", worktree = ""] =
    /--- ([A-Z]+-\d+), attempt (\d+), in ([^\\"\s]+)/.exec(asked.join()) ?? [];
  const acts = (WHOLE_SCRIPTS[`${task}-${number}`] ?? WHOLE_SCRIPTS[task])?.[0]?.do ?? [];
  const files = acts.flatMap((act) => ("write" in act ? [act] : []));
  if (turn === 0 && files.length === 0) return { tools: [bash(`loop task drop ${task} 'I cannot do it.'`)] };
  if (turn === 0) return { tools: files.flatMap((act) => writing(join(worktree, act.write), act.text)) };
  return turn === 1 && files.length > 0
    ? { tools: [bash(`loop task done ${task}`)] }
    : { text: "That is all." };
}

/** The client writes over no file that it has not read. */
function writing(file_path: string, content: string): NonNullable<Turn["tools"]> {
  const write = { name: "Write", input: { file_path, content } };
  return existsSync(file_path) ? [{ name: "Read", input: { file_path } }, write] : [write];
}

function answers({ toolResults }: RecordedRequest, command: string, turn: number): Turn {
  if (turn === 0) return { tools: [bash(command)] };
  if (turn > 1) return { text: "It is recorded." };
  const brief = toolResults.map(({ text }) => text).join("\n");
  const [, record = ""] = /apostrophe in it: (loop .*) 'YOUR JSON OBJECT'/.exec(brief) ?? [];
  const [answer] = WHOLE_SCRIPTS[scriptOf(command, brief)] ?? [];
  return { tools: [bash(`${record} '${(answer?.say ?? "").replaceAll("'", String.raw`'\''`)}'`)] };
}

function scriptOf(command: string, brief: string): string {
  if (command.includes("counsel")) return "counsel";
  if (command.includes("--wave")) return "light-review";
  return brief.includes(`+    ${LOSES_RETURNS}`) ? "review-1" : "review-2";
}

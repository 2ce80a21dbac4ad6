import { withinProject } from "./tool.ts";

/** Refusals that a rule for the single command resolves. Only `Bash` allows anything else the client objects to. */
const ASKED_FOR_COMMAND = /^This command requires approval|parts? requires? approval:|don't ask mode/;
/** The same for a program that writes a file in the project. */
const ASKED_FOR_FILE = /^[\w-]+ in '([^']+)' was blocked/;

/** The arguments of these decide everything, so no prefix of them is allowed. */
const EXACT_ONLY = new Set(
  "rm sudo su sh bash zsh fish node deno bun python python3 ruby perl php curl wget eval exec env xargs ssh chmod chown kill dd".split(
    " ",
  ),
);
const KEYWORDS = new Set(
  "for while until if then else elif fi do done case esac function select !".split(" "),
);
/** Programs whose next word says what they do. */
const FORWARDING = new Set(["run", "exec", "compose", "-m"]);

const ASSIGNMENT = /^[A-Za-z_]\w*=[\w./:@-]*$/;
const PLAIN_WORD = /^[A-Za-z@][\w:@./-]*$/;
const PROGRAM = /^[\w./~@+-]+$/;

const LONGEST_LINE = 2_000;

/** Pieces of a line that only runs commands one after another: words and quotes, or the separators between commands. */
const PIECE =
  /('[^']*'|"(?:[^"`\\$]|\$(?!\())*"|[^\s;|&<>(){}`\\'"$]+|\$(?!\()|[^\S\n]+)|\d?>&\d|[\d&]?>[^\S\n]*\/dev\/null|(&&|\|\||[;|\n])/gy;

/** Rules that allow a refused command line, one for each command in it that isn't allowed yet. */
export function shellRules(line: string, answer: string, cwd: string | null): readonly string[] {
  const file = ASKED_FOR_FILE.exec(answer)?.[1];
  const isAsked = file === undefined ? ASKED_FOR_COMMAND.test(answer) : withinProject(file, cwd) !== file;
  const commands = isAsked ? commandsIn(line) : null;
  if (commands === null) return ["Bash"];
  const named = answer.split("approval:")[1];
  const asked = named === undefined ? commands : commands.filter((each) => named.includes(each));
  const rules = (asked.length === 0 ? commands : asked)
    .filter((each) => !/^cd(?: |$)/.test(each))
    .map(ruleFor);
  return rules.length === 0 || rules.includes("Bash") ? ["Bash"] : [...new Set(rules)];
}

/** `npm test -- --run` becomes a rule for `npm test` with any arguments. */
function ruleFor(command: string): string {
  const words = command.split(/\s+/);
  const start = words.findIndex((word) => !ASSIGNMENT.test(word));
  const [program = "", second = "", third = ""] = start < 0 ? [] : words.slice(start);
  if (!PROGRAM.test(program) || KEYWORDS.has(program) || command.includes("\n")) return "Bash";
  if (EXACT_ONLY.has(program)) return `Bash(${command})`;
  const forwards = FORWARDING.has(second) && PLAIN_WORD.test(third);
  const length = forwards ? 3 : PLAIN_WORD.test(second) ? 2 : 1;
  return `Bash(${words.slice(0, start + length).join(" ")}:*)`;
}

/** The single commands of a line; null if a shell would do more than run them. */
function commandsIn(line: string): readonly string[] | null {
  if (line.length > LONGEST_LINE) return null;
  const commands = [""];
  let understood = 0;
  for (const [piece, words = "", separator] of line.matchAll(PIECE)) {
    understood += piece.length;
    if (separator === undefined) commands.push(`${commands.pop() ?? ""}${words}`);
    else commands.push("");
  }
  return understood < line.length ? null : commands.map((each) => each.trim()).filter((each) => each !== "");
}

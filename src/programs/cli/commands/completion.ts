import { Argument, type Command } from "commander";
import type { Machine } from "../../../storage/loops/machine.ts";
import { topFrame } from "../../../core/loop/loop.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { candidates, type Candidate } from "../completion-candidates.ts";
import type { Context } from "../context.ts";
import { findProject } from "../../../storage/home/project.ts";
import { inspectLoop, isAttempt, type KnownLoop } from "../../../storage/loops/known-loop.ts";

const DESCRIPTION_LIMIT = 100;
const LOOP_LIMIT = 40;

export function addCompletion(program: Command, { machine, terminal }: Context): void {
  program
    .command("completion")
    .description("Prints a script that completes commands, options, their values and loop ids in your shell.")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .addHelpText(
      "after",
      `
Examples:
  $ echo 'eval "$(loop completion bash)"' >> ~/.bashrc
  $ echo 'eval "$(loop completion zsh)"' >> ~/.zshrc               after its compinit
  $ loop completion fish > ~/.config/fish/completions/loop.fish`,
    )
    .action((shell: Shell) => terminal.print(COMPLETION_SCRIPTS[shell].trimEnd()));

  program
    .command("complete", { hidden: true })
    .description("Lists what can come next, for the scripts of `loop completion`.")
    .argument("[words...]")
    .action(async (words: readonly string[]) => {
      for (const line of await linesFor(program, words, machine)) terminal.print(line);
    });
}

/** Nobody can act on an error in the middle of typing a line. */
async function linesFor(
  program: Command,
  words: readonly string[],
  machine: Machine,
): Promise<readonly string[]> {
  try {
    const found = await candidates(program, words, { loops: async () => loopCandidates(machine) });
    if (found.type === "files") return [":files"];
    return found.values.map(({ value, description }) =>
      description === "" ? value : `${value}\t${oneLine(description, DESCRIPTION_LIMIT)}`,
    );
  } catch {
    return [];
  }
}

async function loopCandidates(machine: Machine): Promise<readonly Candidate[]> {
  return (await recentLoops(machine, LOOP_LIMIT)).map(({ id, live: { loop } }) => ({
    value: id,
    description: `${loop.phase}: ${topFrame(loop).spec}`,
  }));
}

/** Each script passes the words up to the cursor to `loop complete`, which prints one candidate per line, or `:files`. */
export const COMPLETION_SCRIPTS = {
  bash: `# Completion of loop for bash. In ~/.bashrc: eval "$(loop completion bash)"
_loop() {
  local value rest
  COMPREPLY=()
  while IFS=$'\\t' read -r value rest; do
    if [ "$value" = :files ]; then
      compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$2"))
      return 0
    fi
    COMPREPLY+=("$value")
  done < <("$1" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _loop loop
`,
  zsh: `#compdef loop
# Completion of loop for zsh. As the file _loop in a folder of $fpath, or in ~/.zshrc after compinit:
# eval "$(loop completion zsh)"
_loop() {
  local line
  local -a found
  for line in "\${(@f)$(\${(Q)words[1]} complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      compset -P '--*='
      _files
      return
    fi
    line="\${line/$'\\t'/:}"
    [[ -n $line ]] && found+=("$line")
  done
  _describe -V loop found
}
if [[ $funcstack[1] == _loop ]]; then _loop "$@"; else compdef _loop loop; fi
`,
  fish: `# Completion of loop for fish. As ~/.config/fish/completions/loop.fish, or in config.fish:
# loop completion fish | source
function __loop_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    set -l found ($program complete -- $words $current 2>/dev/null)
    if test "$found" = :files
        set -l option (string match -r -- '^--[^=]*=' $current)
        __fish_complete_path (string replace -- "$option" '' $current) | string replace -r -- '^' "$option"
    else
        string join -- \\n $found
    end
end
complete -c loop -f -a '(__loop_complete)'
`,
} as const;

export type Shell = keyof typeof COMPLETION_SCRIPTS;
export const SHELLS = Object.keys(COMPLETION_SCRIPTS) as readonly Shell[];

/** A plan leaves many attempts, which are looked at in vain. */
const MOST_LOOKED_AT = 10;

/** The trusted loops of this project, most recently changed first. Quick, because it only reads our own files. */
export async function recentLoops(machine: Machine, limit: number): Promise<readonly KnownLoop[]> {
  const project = findProject(machine.cwd);
  const ids = (await machine.journals(project).list()).slice(0, limit * MOST_LOOKED_AT);
  const recent: KnownLoop[] = [];
  for (let at = 0; at < ids.length && recent.length < limit; at += limit) {
    const some = ids.slice(at, at + limit);
    const found = await Promise.all(some.map(async (id) => inspectLoop(machine, project, id)));
    recent.push(...found.filter((each) => each.type === "loop").filter((each) => !isAttempt(each)));
  }
  return recent.slice(0, limit);
}

import type { Driver, Launch, Turn, StreamReader, AgentEnding } from "../driver.ts";
import { linesWithoutStatusBlocks } from "../../../core/stop/status-block.ts";
import { beginningOf, endOf, LONGEST_SAID, detailOf, detailWithReason } from "../bounded-text.ts";
import { NO_BILL } from "../driver.ts";
import type { Trouble } from "../../../core/stop/trouble.ts";

/** Any program that reads a prompt from standard input, works in the project and prints its answer. */
export function commandDriver(line: string): Driver {
  return {
    id: "command",
    title: "a command",
    program: null,
    keepsConversations: false,
    capsItself: false,
    canBeAsked: false,
    command: (turn) => launchOf(line, turn),
    permits: () => null,
    exampleRule: null,
    readStream: () => readText(),
  };
}

/** The line as the user wrote it. Extra arguments follow as separate words, whatever they contain. */
function launchOf(line: string, turn: Turn): Launch {
  return {
    command:
      turn.args.length === 0
        ? { kind: "shell", line }
        : { kind: "argv", argv: ["/bin/sh", "-c", `${line} "$@"`, "sh", ...turn.args] },
    stdin: turn.prompt,
    env: {},
  };
}

const LONGEST_TEXT = 64 * 1024;
/** The line around a block in Markdown says nothing. */
const FENCE = /^`{3,}\w*$/;

/** The output is what the agent says; beyond that, only the end of its process is known. */
function readText(): StreamReader {
  let text = "";
  const wordsOf = linesWithoutStatusBlocks();
  return {
    line(line) {
      text = text === "" ? line : `${text}\n${line}`;
      // Trimmed only now and then, so that many short lines don't each copy all of it.
      if (text.length > 2 * LONGEST_TEXT) text = endOf(text, LONGEST_TEXT);
      const said = wordsOf(line);
      return said === "" || FENCE.test(said) ? [] : [{ type: "said", text: beginningOf(said, LONGEST_SAID) }];
    },
    end(ending) {
      const message = endOf(text, LONGEST_TEXT).trimEnd();
      const trouble = troubleOf(ending);
      return {
        trouble,
        // Any program may be the agent, and may not know the claims.
        claimsDone: trouble === null,
        lastMessage: message === "" ? null : message,
        conversation: null,
        toolUses: null,
        bill: NO_BILL,
        reportedUsd: null,
        denials: [],
      };
    },
  };
}

/** The exit codes of a shell that cannot run or find a program. */
const NOT_RUNNABLE = new Set([126, 127]);
/** `EX_TEMPFAIL` of sysexits.h: the caller is invited to try again. */
const TRY_AGAIN = 75;

function troubleOf(ending: AgentEnding): Trouble | null {
  switch (ending.type) {
    case "exited":
      return ending.code === 0 ? null : troubleOfCode(ending.code, ending.stderr);
    case "signalled": {
      const detail = detailWithReason(`the program was ended by ${ending.signal}`, ending.stderr);
      return { kind: "unknown", detail };
    }
    case "not-started":
      return { kind: "blocking", detail: detailOf(`the program cannot be started: ${ending.message}`) };
    case "cut-off":
      return { kind: "interrupted", detail: detailOf(ending.why) };
  }
}

function troubleOfCode(code: number, stderr: string): Trouble {
  const saying = (what: string): string => detailWithReason(`${what} (exit code ${code})`, stderr);
  if (NOT_RUNNABLE.has(code)) {
    return { kind: "blocking", detail: saying("the program cannot be run") };
  }
  if (code === TRY_AGAIN) return { kind: "transient", detail: saying("the program asks for a retry") };
  return { kind: "unknown", detail: saying("the program failed") };
}

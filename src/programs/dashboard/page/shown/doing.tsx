import { now } from "../data/state.ts";
import { paceWords, type Live } from "./pace-words.ts";
import { clock, duration } from "./words.ts";

const COMMANDS = /^(?:bash|shell|sh|exec|command|terminal|run)/i;

/** What happens right now, by whom, and since when: a bare command that has run for a while would look stuck. */
export function Doing({ live }: { readonly live: Live }) {
  return (
    <>
      <What live={live} />{" "}
      <span class="dim nowrap">
        since {clock(live.since)}, {duration(now.value - Date.parse(live.since))}
      </span>
      <span class="dim">{paceWords(live, now.value)}</span>
    </>
  );
}

function What({ live: { doing, tool, detail = null } }: { readonly live: Live }) {
  switch (doing) {
    case "preparing":
      return <>its next turn is prepared</>;
    case "judging":
      return <>what it did is judged</>;
    case "checking":
      return <>the check {detail === null ? "" : <b>{detail}</b>} runs</>;
    case "asking":
      return <>it asks whether to go on</>;
    case "waiting":
      return <>it waits</>;
    default:
      break;
  }
  if (tool === null) return <>its agent thinks</>;
  const isCommand = COMMANDS.test(tool.name) && tool.detail !== "";
  return (
    <>
      its agent {isCommand ? "runs" : `uses ${tool.name}`} {tool.detail !== "" && <code>{tool.detail}</code>}
    </>
  );
}

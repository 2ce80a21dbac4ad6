import type { Reviewed } from "../../reviewed.ts";
import { wordsOf } from "../shown/code.tsx";
import type { Found } from "../../../../views/grouped-findings.ts";
import { reviewed } from "./reviewed.ts";

type FindingPlace = Reviewed["places"][number];
type PlaceLine = FindingPlace["reviewed"][number];

const SIGNS = { added: "+", removed: "-", context: " " } as const;

function Lines({
  lines,
  label,
  notes,
}: {
  readonly lines: readonly PlaceLine[];
  readonly label: string;
  readonly notes: { readonly quoted?: string; readonly added?: string };
}) {
  const isChange = notes.added !== undefined;
  const quoted = lines.map(({ kind, text }) => ({ sign: isChange ? SIGNS[kind] : (" " as const), text }));
  const firstAdded = isChange ? lines.findIndex(({ kind }) => kind === "added") : -1;
  return (
    <div class="code mono" tabIndex={0} role="group" aria-label={label}>
      {lines.map(({ kind, line, isQuoted, text }, index) => {
        const color = !isChange ? (isQuoted ? "q" : "") : { added: "add", removed: "del", context: "" }[kind];
        const note = isQuoted ? notes.quoted : index === firstAdded ? notes.added : undefined;
        return (
          <div key={index} class={color}>
            {note !== undefined && <span class="note">{note}</span>}
            <span class="sign">
              {isChange ? (kind === "context" ? "" : SIGNS[kind]) : (line ?? "")}
              <span class="sr">{isChange && kind !== "context" ? kind : ""}</span>
            </span>
            {wordsOf(quoted, index, text).map((word, at) =>
              word.isChanged ? <mark key={at}>{word.text}</mark> : <span key={at}>{word.text}</span>,
            )}
          </div>
        );
      })}
    </div>
  );
}

function placeOf({ id, round }: Found): FindingPlace | null {
  return reviewed.value?.places.find((each) => each.finding === id && each.round === round) ?? null;
}

/** The quoted line with those beside it, and the change that put it right. */
export function Place({ finding }: { readonly finding: Found }) {
  const place = placeOf(finding);
  const fix = place?.fix ?? null;
  const isQuotedFixed = fix?.lines.some(({ isQuoted }) => isQuoted) === true;
  const shown: readonly PlaceLine[] =
    place !== null && place.reviewed.length > 0
      ? place.reviewed
      : [{ kind: "context", line: finding.line, text: finding.quote, isQuoted: true }];
  return (
    <>
      {!isQuotedFixed && <Lines lines={shown} label="quoted line" notes={{}} />}
      {fix !== null && fix.lines.length > 0 && (
        <Lines
          lines={fix.lines}
          label={`what ${fix.task} changed`}
          notes={{ quoted: "quoted by the reviewer", added: `${fix.task}, ${fix.commit.slice(0, 8)}` }}
        />
      )}
    </>
  );
}

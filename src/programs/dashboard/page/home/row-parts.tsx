import type { BoardRow, StripMark } from "../../../../views/board.ts";
import { go } from "../data/state.ts";
import { AtWork, Cut, Disputed, Failed, NoClaim, NotAsked, Seal } from "../shown/glyphs.tsx";
import { caughtWords, counted } from "../shown/words.ts";

const MARKS = {
  "at-work": AtWork,
  "not-held": Failed,
  disputed: Disputed,
  "not-checked": NotAsked,
  "no-claim": NoClaim,
  cut: Cut,
} as const;

export function Strip({ strip }: { readonly strip: readonly StripMark[] }) {
  const claimed = strip.filter((mark) => mark !== "no-claim" && mark !== "cut" && mark !== "at-work").length;
  const not = strip.filter((mark) => mark === "not-held").length;
  const words = `${counted(strip.length, "iteration")}: claimed done ${counted(claimed, "time")}, ${not} did not hold`;
  return (
    <span class="strip" role="img" aria-label={words} title={words}>
      {strip.map((mark, index) => {
        const Mark = mark === "verified" || mark === "weak" || mark === "unverified" ? null : MARKS[mark];
        return Mark === null ? <Seal key={index} confidence={mark} /> : <Mark key={index} />;
      })}
    </span>
  );
}

const CELLS = {
  done: "merged, verified",
  weak: "merged on weak evidence",
  unverified: "merged, and no check shows it",
  contradicted: "merged, and the gate speaks against it",
  failed: "failed, and no attempt is under way",
  running: "at work",
  waiting: "waits for a usage limit",
  merging: "is merged",
  stopped: "stopped",
  ready: "not begun",
  blocked: "waits for other tasks",
  "given-up": "given up",
  skipped: "left out",
} as const;

export function NotHeld({ row }: { readonly row: BoardRow }) {
  if (row.claimsNotHeld === 0) return null;
  return <span class="dim">{caughtWords(row.claimsNotHeld, row.caughtBy)}</span>;
}

export function Cells({ row }: { readonly row: BoardRow }) {
  const { plan } = row;
  if (plan === null) return null;
  return (
    <span class="cells" role="img" aria-label={plan.words}>
      {plan.cells.map((cell, index) => (
        <span key={index} class={`cell ${cell}`} title={CELLS[cell]} />
      ))}
    </span>
  );
}

export function Spec({ row }: { readonly row: BoardRow }) {
  return (
    <>
      <b>{row.project}</b> {row.spec ?? `the loop ${row.id}, whose text is not shown`}
    </>
  );
}

export function open(path: string): (event: MouseEvent) => void {
  return (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(path);
  };
}

export function Bar({ row }: { readonly row: BoardRow }) {
  if (row.budgetUsd === null || row.costUsd === null) return null;
  const share = Math.min(1, row.costUsd / row.budgetUsd);
  return (
    <span class="bar" aria-hidden="true">
      <i style={{ width: `${share * 100}%` }} />
    </span>
  );
}

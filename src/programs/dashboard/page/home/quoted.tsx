import type { QuotedLine } from "../../../../views/board.ts";
import { Diff } from "../shown/code.tsx";

/** What a loop needs somebody for: changed lines as code, and sentences as such. */
export function Quoted({ lines }: { readonly lines: readonly QuotedLine[] }) {
  if (lines.some(({ sign }) => sign === "+" || sign === "-"))
    return <Diff lines={lines} most={8} label="what it is about" />;
  return lines.slice(0, 8).map(({ sign, text }, index) => (
    <p key={index} class={`said${sign === "!" ? " bad" : ""}`}>
      {text}
    </p>
  ));
}

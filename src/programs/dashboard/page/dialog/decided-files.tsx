import type { Decision } from "../../decision.ts";
import { Diff, Output } from "../shown/code.tsx";

const MOST_FILES = 20;

/** What somebody decides on: changed lines, files, or commands. */
export function DecidedFiles({ decision: { files, commands } }: { readonly decision: Decision }) {
  return (
    <>
      {files.slice(0, MOST_FILES).map(({ path, change, added, removed, lines }) =>
        lines.length > 0 ? (
          <div key={path}>
            {files.length > 1 && <p class="mono">{path}</p>}
            <Diff lines={lines} label={`changes of ${path}`} />
          </div>
        ) : (
          <p key={path} class="mono">
            {change} {path} {added !== null && <span class="c-green">+{added}</span>}{" "}
            {removed !== null && <span class="c-red">−{removed}</span>}
          </p>
        ),
      )}
      {files.length > MOST_FILES && <p>and {files.length - MOST_FILES} more files</p>}
      {commands.length > 0 && <Output text={commands.join("\n")} />}
    </>
  );
}

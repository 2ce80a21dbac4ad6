import { areKeysShown } from "./keys.ts";
import { MarkLegend } from "../shown/legend.tsx";

const KEYS = [
  ["J / K", "next, previous"],
  ["Enter", "open"],
  ["A", "act on it"],
  ["M", "what else can be done"],
  ["U", "undo the last iteration"],
  ["[ ]", "previous, next iteration"],
  ["G then H, R, L", "home, review, log"],
  ["/", "find"],
  ["Esc", "back"],
  ["?", "these keys, and what the marks mean"],
] as const;

export function Keys() {
  if (!areKeysShown.value) return null;
  return (
    <div class="back" onClick={() => (areKeysShown.value = false)}>
      <div
        class="dialog"
        role="dialog"
        aria-modal="true"
        aria-label="Keys and marks"
        tabIndex={0}
        ref={(box) => box?.focus()}
      >
        <h2>Keys</h2>
        <dl class="keys">
          {KEYS.map(([key, what]) => (
            <>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </>
          ))}
        </dl>
        <MarkLegend />
      </div>
    </div>
  );
}

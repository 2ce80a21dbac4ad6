import type { StatusView } from "../../../../views/status.ts";
import { exported, mayAct, now } from "../data/state.ts";
import { start } from "../dialog/open-dialog.ts";
import { type Subject, mainAction, otherActions } from "../dialog/subject.ts";
import { needWords } from "../shown/words.ts";

/** What the loop needs of somebody, with the commands that help. */
export function Asks({ view, subject }: { readonly view: StatusView; readonly subject: Subject }) {
  const { needs } = view;
  if (needs === null) return null;
  const main = mainAction(subject);
  const others = otherActions(subject).filter(({ what }) => ["copy", "continue", "refuse"].includes(what));
  return (
    <div class="callout">
      <div class="line">
        <div>
          <p class="b">{needWords(needs, view.updatedAt, now.value)}</p>
          {needs.detail !== null && <p class="dim">{needs.detail}</p>}
          {needs.commands.length > 0 && <p class="mono dim">{needs.commands.join(" && ")}</p>}
        </div>
        {exported === null && (
          <div class="acts">
            {main !== null && (
              <button
                class="btn main"
                disabled={!mayAct.value && main.what !== "copy"}
                onClick={() => start(main.what, subject)}
              >
                {main.label}
              </button>
            )}
            {others.map(({ what, label }) => (
              <button
                key={label}
                class="btn"
                disabled={!mayAct.value && what !== "copy"}
                onClick={() => start(what, subject)}
              >
                {label}
              </button>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

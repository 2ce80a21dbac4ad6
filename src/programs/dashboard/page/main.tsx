import { effect } from "@preact/signals";
import { render } from "preact";
import { begin } from "./data/follow.ts";
import { connection, detail, enter, exported, route, rows } from "./data/state.ts";
import { Dialog } from "./dialog/dialog.tsx";
import { dialog } from "./dialog/open-dialog.ts";
import { announce, said } from "./frame/announce.ts";
import { Keys } from "./frame/keys-help.tsx";
import { areKeysShown, listenToKeys } from "./frame/keys.ts";
import { Locked } from "./frame/locked.tsx";
import { Top, findLoops } from "./frame/top.tsx";
import { Home } from "./home/home.tsx";
import { needing } from "./home/shown-loops.ts";
import { Log } from "./loop/log.tsx";
import { Loop } from "./loop/loop.tsx";
import { Turn } from "./loop/turn.tsx";
import { Review } from "./review/review.tsx";

function View() {
  if (connection.value === "locked") return <Locked />;
  switch (route.value.view) {
    case "home":
      return <Home />;
    case "review":
      return <Review />;
    case "log":
      return <Log />;
    case "turn":
      return <Turn />;
    case "loop":
      return <Loop />;
  }
}

function Page() {
  return (
    <>
      <div inert={dialog.value !== null || areKeysShown.value}>
        <Top />
        {connection.value === "lost" && (
          <div class="notice">
            Nobody answers. What you see may be old, and nothing can be pressed. It tries again by itself.
          </div>
        )}
        {exported !== null && exported.cut.length > 0 && (
          <div class="notice">
            Shortened to fit: {exported.cut.slice(0, 5).join("; ")}
            {exported.cut.length > 5 ? ` and ${exported.cut.length - 5} more` : ""}
          </div>
        )}
        <View />
      </div>
      <Dialog />
      <Keys />
      <div class="sr" aria-live="polite">
        {said.value}
      </div>
    </>
  );
}

effect(() => {
  const count = [...rows.value.values()].filter(({ group }) => group === "needs").length;
  const spec = detail.value?.view.spec;
  const name =
    route.value.view === "home" || spec == null ? "Loopwright" : `${spec.slice(0, 60)} · Loopwright`;
  document.title = count > 0 && needing.value !== null ? `(${count}) ${name}` : name;
  announce();
});

const root = document.getElementById("page");

if (root !== null) {
  root.textContent = "";
  if (exported === null) {
    void enter().then(begin);
  } else {
    detail.value = { key: exported.key, view: exported.view };
  }
  listenToKeys(findLoops);
  render(<Page />, root);
}

import { problem } from "../data/state.ts";

export function Locked() {
  return (
    <main id="main">
      <h1>This page needs a new link.</h1>
      <div class="hint">
        <p>
          {problem.value ?? "The server was started again, or this browser was never let in."} A link works
          once, within a minute.
        </p>
        <p>
          In the terminal of <code>loop dashboard</code>, press Enter for a new one. If it no longer runs,
          start it again:
        </p>
        <div class="code mono">
          <div>loop dashboard</div>
        </div>
      </div>
    </main>
  );
}

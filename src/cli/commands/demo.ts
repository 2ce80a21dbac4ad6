import type { Command } from "commander";
import type { Scene } from "../../demo/play.ts";
import { playDemo } from "../../demo/play.ts";
import { completeText, startingLine } from "../../views/loop-lines.ts";
import { statusView } from "../../views/status-view.ts";
import type { Context } from "../context.ts";
import { renderStatus } from "../loop-text.ts";
import type { Terminal } from "../terminal.ts";

export function addDemo(program: Command, context: Context): void {
  program
    .command("demo")
    .summary('watch a false "done" being caught, with no key and no service')
    .description(
      "Plays a loop on a small sample project in a temporary folder: real git, real checks, the real stop hook. Only the agent is played.",
    )
    .option("--keep", "keep the folder, to look at what a loop leaves behind")
    .addHelpText("after", "\nExample:\n  $ loop demo --keep")
    .action(async (flags: { keep?: boolean }) => {
      const { terminal, machine } = context;
      let folder = "";
      await playDemo(
        machine.env,
        (scene) => {
          if (scene.type === "project") folder = scene.folder;
          terminal.print(render(terminal, scene, machine.now()));
        },
        flags.keep === true,
      );
      terminal.print(closing(terminal, flags.keep === true ? folder : null));
    });
}

function render(terminal: Terminal, scene: Scene, now: number): string {
  const { paint } = terminal;
  switch (scene.type) {
    case "project":
      return `${paint("bold", "A small shop whose cart ignores quantities")}  ${paint("dim", scene.folder)}\n${paint("dim", "Git, tests, hook and state are real. The agent is played by a script.")}\n`;
    case "opened":
      return `${startingLine(scene.loop)}\n${renderStatus(terminal, statusView(scene.loop, null), now)}\n`;
    case "said":
      return `${paint("cyan", "agent ›")} ${scene.words}\n${paint("dim", "        it tries to stop; the machine runs the check …")}`;
    case "held":
      return `${paint("red", "held  ›")} ${indented(scene.reason)}\n`;
    case "edited":
      return `${paint("cyan", "agent ›")} edits ${scene.path}:  ${scene.change}`;
    case "let-go":
      return `${paint("green", "let go›")} ${scene.loop.phase === "completed" ? indented(completeText(scene.loop)) : scene.loop.phase}\n`;
  }
}

function indented(text: string): string {
  return text.trim().replaceAll("\n", "\n        ");
}

function closing(terminal: Terminal, folder: string | null): string {
  const kept = folder === null ? "" : `Look around:  cd ${folder} && ls -R .loop\n`;
  return `${kept}Now in a project of yours:\n  loop start "what you want" -c "tests pass=npm test"\n  loop check && loop status\n${terminal.paint("dim", "  loop --help shows the rest")}`;
}

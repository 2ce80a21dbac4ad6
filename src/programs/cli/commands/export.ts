import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Option, type Command } from "commander";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import { writeAtomically } from "../../../system/files/write-atomically.ts";
import { chooseLoopToRead } from "../../../storage/loops/choose-loop.ts";
import { UserError } from "../../../core/user-error.ts";
import { exportable, exportedData } from "../../dashboard/export-loop.ts";
import { loadPage, pageWithData } from "../../dashboard/page-file.ts";
import { storyMarkdown } from "../../../views/story/markdown.ts";
import { listed } from "../../../core/listed.ts";
import type { Context } from "../context.ts";

interface Flags {
  readonly loop?: string;
  readonly out?: string;
  readonly format: "html" | "md";
}

export function addExport(program: Command, context: Context): void {
  program
    .command("export")
    .description(
      "Writes a loop into one file: the dashboard's page with its data, for a pull request or an artifact. It opens without a server and asks nobody for anything; secrets are left out. As Markdown, it is a text for a pull request.",
    )
    .argument("[id]", "which loop (default: the open one, or the last); the start of its id is enough")
    .option("--loop <id>", "the same as an id")
    .option("--out <file>", "where to write it (default: .loop/ID.html; Markdown goes to the terminal)")
    .addOption(new Option("--format <format>", "what to write").choices(["html", "md"]).default("html"))
    .addHelpText(
      "after",
      "\nExamples:\n  $ loop export\n  $ loop export fix-the-tests --out report.html\n  $ loop export --format md >> pull-request.md",
    )
    .action(async (id: string | undefined, { loop = id, ...flags }: Flags) => {
      const { machine, terminal, cli } = context;
      const known = await chooseLoopToRead(machine, loop);
      const data = exportedData(machine, await exportable(machine, known));
      const isMarkdown = flags.format === "md";
      if (isMarkdown && flags.out === undefined) return terminal.print(storyMarkdown(data.view));
      const path = resolve(machine.cwd, flags.out ?? usualPlace(known));
      const text = isMarkdown ? `${storyMarkdown(data.view)}\n` : pageWithData(loadPage(cli), data);
      try {
        if (flags.out === undefined) writeAtomically(path, text, { mode: 0o644 });
        else writeFileSync(path, text, { mode: 0o644 });
      } catch (error) {
        throw new UserError(`${path} cannot be written; choose another place with --out FILE.`, {
          cause: error,
        });
      }
      return terminal.print(
        `${path}: ${Math.ceil(Buffer.byteLength(text) / 1024)} kB${data.cut.length === 0 ? "" : `, shortened: ${listed(data.cut, 3)}`}`,
      );
    });
}

/** Elsewhere in the project it would be one of the files that the loop changed. */
function usualPlace({ live, id }: KnownLoop): string {
  return join(live.project.folder, `${id}.html`);
}

import type { ProjectFacts } from "./project-facts.ts";

const MOST_FILES = 150;

/** What a model is told of a project, so that it proposes what exists. */
export function factsText({ checks, files }: ProjectFacts): string {
  const commands = checks.map(({ name, command }) => `- ${name}: ${command}`);
  const more = files.length > MOST_FILES ? [`… and ${files.length - MOST_FILES} more`] : [];
  return [
    "The project's own checks:",
    ...(commands.length === 0 ? ["- none found"] : commands),
    "",
    "Its files:",
    ...files.slice(0, MOST_FILES),
    ...more,
  ].join("\n");
}

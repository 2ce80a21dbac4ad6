import { nothingOutside, onlyIn } from "../../stages/boundary.ts";
import type { Dimension } from "../../spec/rule.ts";
import type { ProjectFacts } from "../project-facts.ts";

/** Answers that the project itself suggests, so that a letter is enough. */
export function choicesFrom(spec: string, facts: ProjectFacts): (about: Dimension) => readonly string[] {
  const places = placesFor(spec, facts.files);
  const commands = facts.checks.slice(0, 2).map(({ command }) => `\`${command}\``);
  const [first = null] = commands;
  const all = commands.join(" and ");
  const passes = commands.length > 1 ? "pass" : "passes";
  const choices: Readonly<Record<Dimension, readonly string[]>> = {
    outcome:
      first === null
        ? ["A new test fails before the work and passes after it"]
        : [`${first} passes, with a new test that fails today`, `${first} passes`],
    scope: places.map(onlyIn),
    constraints: [
      "No new dependencies, and the public API must not change",
      "Existing tests must not change",
      ...places.slice(0, 1).map(nothingOutside),
    ],
    success:
      first === null
        ? ["A new test fails before the work and passes after it"]
        : [`${all} ${passes}`, `${first} passes with a new test for it`],
    done:
      first === null
        ? ["Done when the new test passes"]
        : [
            `Done when ${all} ${commands.length > 1 ? "exit" : "exits"} with code 0`,
            "Done when the PR is merged",
          ],
  };
  return (about) => choices[about];
}

const MOST_PLACES = 3;
/** Words that say nothing about where. */
const SHORTEST_WORD = 4;
const NO_SOURCE = /^(?:\.|docs?\/|tests?\/|spec\/|e2e\/|node_modules\/|dist\/|build\/|vendor\/|target\/)/i;
const SOURCE_FILE =
  /\.(?:[cm]?[jt]sx?|py|rs|go|rb|java|kt|swift|cs?|cc|cpp|php|sh|vue|svelte|ex|scala|lua|zig|dart)$/i;

/** Files that the spec's words name, then the folders with most of the source. */
function placesFor(spec: string, files: readonly string[]): readonly string[] {
  const words = new Set(
    spec
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length >= SHORTEST_WORD),
  );
  const sources = files.filter((path) => SOURCE_FILE.test(path) && !NO_SOURCE.test(path));
  const named = sources.filter((path) => words.has(stemOf(path)));
  const folders = new Map<string, number>();
  for (const path of sources) {
    const end = path.indexOf("/");
    if (end > 0) folders.set(path.slice(0, end + 1), (folders.get(path.slice(0, end + 1)) ?? 0) + 1);
  }
  const largest = [...folders].toSorted(([, one], [, other]) => other - one).map(([folder]) => folder);
  const alone = largest.length === 0 ? sources.slice(0, 1) : [];
  return [...new Set([...named, ...largest, ...alone])].slice(0, MOST_PLACES);
}

function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return name.slice(0, name.indexOf("."));
}

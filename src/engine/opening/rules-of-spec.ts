import type { MustNot } from "../../core/loop/loop.ts";
import { askedChanges, BUILD_SCRIPT } from "../../core/spec/asked-changes.ts";
import type { AskedChange } from "../../core/spec/asked-changes.ts";
import { statedMustNots } from "../../core/questions/shape/listed-criteria.ts";
import { statedConstraints } from "../../core/spec/stated-constraints.ts";
import { unwatchedLimits } from "../../core/stages/work-boundary.ts";
import { listed } from "../../core/listed.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { pathMatcher } from "../../system/tree/path-glob.ts";
import { filesAt } from "../../verify/definitions/project-files.ts";
import { isHeldAgainst, isNamedAsExpected, isSnapshotBeside } from "../../verify/definitions/test-files.ts";
import { inlineTests } from "../../verify/definitions/inline-tests.ts";
import { kindOf } from "../../verify/definitions/tools/tools.ts";
import { listNow } from "../../verify/baseline/kept-files.ts";
import type { AskedRules, Preflighted, WholeLoop } from "./asked-loop.ts";
import type { OpenableLoop } from "./openable.ts";
import type { Opener } from "./opener.ts";

const MOST_NAMED = 3;
const MOST_GLOBS = 20;
const MOST_READ = 500;

/** What a spec lets change about tests, and in which sentence. */
interface Assumed {
  readonly words: string;
  readonly globs: readonly string[];
}

/** A loop that also watches the files that its spec says must not change. */
export async function withStatedMustNots<Asked extends WholeLoop>(
  opener: Opener,
  openable: OpenableLoop<Asked>,
): Promise<OpenableLoop<Asked>> {
  const { asked, work } = openable;
  const paths = await pathsOf(opener, openable);
  const mustNots = newMustNots(asked, statedMustNots(asked.spec, paths, work.folder));
  tellWatched(opener, asked, mustNots);
  if (mustNots.length === 0) return openable;
  return { ...openable, asked: { ...asked, mustNots: [...asked.mustNots, ...mustNots] } };
}

function tellWatched({ tell }: Opener, asked: WholeLoop, mustNots: readonly PathMustNot[]): void {
  const { spec } = asked;
  for (const { glob } of mustNots) tell(`Watched, as the spec says: ${oneLine(glob, 80)} must not change.`);
  const stated = statedConstraints(spec).map(({ words }) => `"${oneLine(words, 80)}"`);
  if (stated.length > 0) tell(`Watched, as the spec says: ${listed(stated, MOST_NAMED)}.`);
  const limits = unwatchedLimits({ spec, mustNots: [...asked.mustNots, ...mustNots] });
  const unwatched = limits.map((words) => `"${oneLine(words, 80)}"`);
  if (unwatched.length > 0) tell(`Not watched, because no check can tell: ${listed(unwatched, MOST_NAMED)}.`);
}

/**
 * A loop in which the tests may change that its spec asks to change. A person confirms that, because it makes the loop easier to
 * end; with nobody to ask, it is said.
 */
export async function withAskedChanges<Asked extends WholeLoop>(
  opener: Opener,
  openable: OpenableLoop<Asked>,
  before: Preflighted,
): Promise<OpenableLoop<Asked>> {
  const { asked, workingDirectory } = openable;
  const changes = askedChanges(asked.spec);
  if (changes.length === 0) return openable;
  const paths = await pathsOf(opener, openable);
  const project = { root: workingDirectory.root, paths, before };
  const known = new Set([
    ...asked.mayChange,
    ...asked.mustNots.flatMap((each) => (each.kind === "path" ? [each.glob] : [])),
  ]);
  const mayChange: string[] = [];
  for (const change of changes) {
    const globs = (await globsOf(change, project)).filter((glob) => !known.has(glob));
    if (globs.length === 0 || !(await isAllowed(opener, { words: change.words, globs }))) continue;
    for (const glob of globs) known.add(glob);
    mayChange.push(...globs);
  }
  return { ...openable, asked: { ...asked, mayChange: [...asked.mayChange, ...mayChange] } };
}

async function pathsOf({ machine }: Opener, { workingDirectory }: OpenableLoop): Promise<readonly string[]> {
  const reading = await machine.git.readTree(workingDirectory.root);
  return reading === null ? [] : [...listNow(reading).keys()];
}

type PathMustNot = Extract<MustNot, { kind: "path" }>;

function newMustNots(
  { mustNots, mayChange }: Pick<AskedRules, "mustNots" | "mayChange">,
  stated: readonly PathMustNot[],
): readonly PathMustNot[] {
  const known = new Set([
    ...mayChange,
    ...mustNots.flatMap((each) => (each.kind === "path" ? [each.glob] : [])),
  ]);
  return stated.filter(({ glob }) => !known.has(glob));
}

async function isAllowed({ person, tell }: Opener, { words, globs }: Assumed): Promise<boolean> {
  const files = listed(
    globs.map((glob) => oneLine(glob, 80)),
    MOST_NAMED,
  );
  const why = `"${oneLine(words, 100)}"`;
  if (person === null) {
    tell(`Assumed from ${why} that ${files} may change; all other tests judge as they are.`);
    return true;
  }
  const isConfirmed = await person.letsChange(files, why);
  if (isConfirmed) person.said.addFlags(...globs.flatMap((glob) => ["--may-change", glob]));
  return isConfirmed;
}

interface Project {
  readonly root: string;
  readonly paths: readonly string[];
  readonly before: Preflighted;
}

async function globsOf({ what, names }: AskedChange, project: Project): Promise<readonly string[]> {
  const { root, paths, before } = project;
  const tests = paths.filter((path) => kindOf(path) === "test");
  switch (what) {
    case "files": {
      const named = names.flatMap((name) => {
        const path = name.replace(/\/$/, "");
        if (paths.includes(path)) return withSnapshots([path], paths);
        return tests.some((each) => each.startsWith(`${path}/`)) ? [`${escaped(path)}/**`] : [];
      });
      const globs: string[] = [];
      for (const name of names.filter((each) => each.includes("*"))) {
        const isMatched = await pathMatcher([name]).catch(() => () => false);
        if (tests.some(isMatched)) globs.push(name);
      }
      return [...named, ...globs].slice(0, MOST_GLOBS);
    }
    case "all":
      return [...new Set([...tests.map(folderGlob), ...paths.filter(saysHowTestsRun).map(escaped)])].slice(
        0,
        MOST_GLOBS,
      );
    case "compared": {
      if (names.length === 0) return paths.filter(isNamedAsExpected).map(escaped).slice(0, MOST_GLOBS);
      const isNamed = await pathMatcher(names).catch(() => () => false);
      const named = paths.filter((path) => isNamed(path) && (isHeldAgainst(path) || tests.includes(path)));
      return named.map(escaped).slice(0, MOST_GLOBS);
    }
    case "config":
      return names
        .filter((name) => paths.includes(name) && (saysHowTestsRun(name) || BUILD_SCRIPT.test(name)))
        .map(escaped);
    case "output":
      // Tests that fail demand something else than what there is: they are what the work has to satisfy.
      return isGreen(before) ? mentioning(root, tests, names) : [];
    case "about": {
      const all = [...tests, ...(await withTestsInside(root, paths))];
      return names.length === 0 ? all.map(escaped).slice(0, MOST_GLOBS) : mentioning(root, all, names);
    }
  }
}

function isGreen({ looked }: Preflighted): boolean {
  return (
    looked !== undefined &&
    looked.evidence.size > 0 &&
    [...looked.evidence.values()].every(({ passed }) => passed)
  );
}

/** Sources with examples or tests of their own. */
async function withTestsInside(root: string, paths: readonly string[]): Promise<readonly string[]> {
  const sources = paths.filter((path) => kindOf(path) === "source").slice(0, MOST_READ);
  const files = filesAt(root, sources);
  const found: string[] = [];
  for (const path of sources)
    if (inlineTests(path, (await files.read(path)) ?? "").size > 0) found.push(path);
  return found;
}

/** Tests that mention one of the names: the file's own, or what is in it. */
async function mentioning(
  root: string,
  tests: readonly string[],
  names: readonly string[],
): Promise<readonly string[]> {
  const files = filesAt(root, tests);
  const words = names
    .map((name) => /[^/]*$/.exec(name.replace(/\.\w+$/, ""))?.[0] ?? "")
    .filter((word) => word.length > 2);
  const found: string[] = [];
  for (const path of tests.slice(0, MOST_READ)) {
    const text = (await files.read(path)) ?? "";
    if (words.some((word) => hasWord(text, word) || hasWord(path, word))) found.push(path);
  }
  return withSnapshots(found, tests).slice(0, MOST_GLOBS);
}

/** What a test file compares with is written by the runner whenever the test changes. */
function withSnapshots(tests: readonly string[], paths: readonly string[]): readonly string[] {
  const snapshots = paths.filter((path) => tests.some((test) => isSnapshotBeside(path, test)));
  return [...tests, ...snapshots].map(escaped);
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!/\w/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + word.length))) return true;
  return false;
}

const SAYS_HOW =
  /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|tox\.ini|Makefile|Rakefile|Gemfile|pom\.xml|composer\.json)$/;

function saysHowTestsRun(path: string): boolean {
  return kindOf(path) === "definition" || SAYS_HOW.test(path);
}

function folderGlob(path: string): string {
  return path.includes("/") ? `${escaped(path.slice(0, path.indexOf("/")))}/**` : escaped(path);
}

function escaped(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()|!]/g, String.raw`\$&`);
}

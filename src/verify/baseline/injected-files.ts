import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describeCommand, type CommandLine } from "../../core/loop/criterion.ts";
import type { Failures, InjectedText, Surroundings } from "../definitions/injecting/dialect.ts";
import { injected } from "../definitions/injecting/injected.ts";
import { markOf, type Marker } from "../definitions/injecting/marks.ts";
import { partsOf } from "../definitions/parts/parts.ts";
import type { ComparedCheck } from "./compare.ts";
import type { OldFile, Place } from "./kept-files.ts";
import type { ReplacedFile } from "./replacements.ts";
import { below, folderOf, nameOf } from "../definitions/project-files.ts";

/** A test file that failures were put into. */
export interface InjectedFile extends Omit<InjectedText, "text" | "beside"> {
  /** Its number in the marks that it leaves. */
  readonly file: number;
  readonly path: string;
  /** The expected values that are wrong, by number. */
  readonly altered: ReadonlySet<number>;
  /** Something in it may keep tests from running, such as the system that they run on. */
  readonly isConditional: boolean;
}

/** A check's test files as they are now, with failures. */
interface InjectedTests {
  readonly replaced: readonly ReplacedFile[];
  readonly files: readonly InjectedFile[];
}

interface InjectedOptions {
  readonly place: Place;
  readonly check: ComparedCheck;
  readonly command: CommandLine;
  readonly runner: string | null;
  readonly marker: Omit<Marker, "file">;
  /** For each file by its number. */
  readonly failures: (file: number) => Failures;
}

const MOST_FILES = 200;
const STOPS_EARLY =
  /\s(?:-x|--exitfirst|--maxfail|--bail|-b|--fail-?fast|-failfast|--stop-on-\w+)\b|\bbail["']?\s*:|\bfail[-_]?fast\b|stopOn(?:Failure|Error)/i;

export async function injectedTests(options: InjectedOptions): Promise<InjectedTests> {
  const { place, check, command, runner, marker, failures } = options;
  const surroundings = { runner, setup: await setupOf(place, check, command) };
  // What fails first would keep the others from running.
  const isHasty = failures(0).tests && STOPS_EARLY.test(surroundings.setup);
  const replaced: ReplacedFile[] = [];
  const files: InjectedFile[] = [];
  for (const [file, path] of testPaths(check).entries()) {
    const now = files.length === MOST_FILES ? null : await readFileNow(place.root, path);
    if (now === null) continue;
    const bad = injected(
      { path, text: now.text },
      { ...marker, file },
      { surroundings, failures: isHasty ? { ...failures(file), altered: null } : failures(file) },
    );
    if (bad === null) continue;
    replaced.push({ path, mode: now.mode, content: Buffer.from(bad.text) });
    for (const each of bad.beside)
      replaced.push({ path: each.path, mode: "100644", content: Buffer.from(each.text) });
    const { text: _, beside: __, ...facts } = bad;
    files.push({
      ...facts,
      file,
      path,
      altered: alteredIn(bad.text, file),
      isConditional: CONDITIONAL.test(now.text),
    });
  }
  return { replaced, files };
}

const CONDITIONAL =
  /skip|assum|pending|x_?fail|expected_?failure|flaky|\btodo\b|ignore|disabled|\bonly\b|\bx(?:it|test|describe)\b|platform|win32|darwin|linux|goos|#\s*if|\benv/i;

function alteredIn(text: string, file: number): ReadonlySet<number> {
  const mark = new RegExp(String.raw`\b${markOf({ file }, "reached").replace(/0$/, "")}(\d+)\b`, "g");
  return new Set([...text.matchAll(mark)].map(([, id]) => Number(id)));
}

/** The snapshots that a check's tests compare with, with other contents. */
export async function wrongSnapshots(
  { root }: Place,
  { definitions }: ComparedCheck,
  nonce: string,
): Promise<readonly ReplacedFile[]> {
  const paths = definitions.flatMap(({ kind, part, path, digest }) =>
    kind === "test" && part === null && digest !== null ? [path] : [],
  );
  const snapshots = paths.filter((path) => path.endsWith(".snap")).slice(0, MOST_FILES);
  if (snapshots.length === 0) return [];
  const replaced: ReplacedFile[] = [];
  for (const test of paths.filter((path) => !path.endsWith(".snap"))) {
    const { text = "" } = (await readFileNow(root, test)) ?? {};
    for (const path of snapshots.filter((each) => isSnapshotOf(each, { path: test, text }))) {
      const now = await readFileNow(root, path);
      const altered = now === null ? null : alteredSnapshots(now.text, nonce);
      if (now !== null && altered !== null)
        replaced.push({ path, mode: now.mode, content: Buffer.from(altered) });
    }
  }
  return replaced;
}

const COMPILED = /\.(?:c|cc|cpp|cxx|go|rs|java)$/;

/** Test files that no compiler accepts. */
export async function uncompilable(
  { root }: Place,
  paths: readonly string[],
): Promise<readonly ReplacedFile[]> {
  const replaced: ReplacedFile[] = [];
  for (const path of paths.filter((each) => COMPILED.test(each))) {
    const now = await readFileNow(root, path);
    if (now !== null) replaced.push({ path, mode: now.mode, content: Buffer.from(`)\n${now.text}`) });
  }
  return replaced;
}

/** Files of tests, and sources with tests inside. */
function testPaths({ definitions }: ComparedCheck): readonly string[] {
  const found = definitions.filter(
    ({ kind, part, path, digest }) =>
      digest !== null &&
      ((kind === "test" && part === null) || (kind === "inline" && /\.(?:rs|py)$/.test(path))),
  );
  return [...new Set(found.map(({ path }) => path))];
}

const MOST_SETUP = 30;

/** The command, and the scripts and configuration behind it. */
async function setupOf(
  { root }: Place,
  { definitions }: ComparedCheck,
  command: CommandLine,
): Promise<Surroundings["setup"]> {
  const found = definitions.filter(
    ({ kind, digest }) => digest !== null && (kind === "script" || kind === "config"),
  );
  const texts: string[] = [];
  for (const { path, part } of found.slice(0, MOST_SETUP)) {
    const text = (await readFileNow(root, path))?.text ?? "";
    texts.push(part === null ? text : (partsOf(path, text)(part) ?? ""));
  }
  return [describeCommand(command), ...texts].join("\n");
}

const LARGEST_BYTES = 256 * 1024;

/** A file of the project as text; null if it is missing, no plain file, or too large to be written by hand. */
export async function readFileNow(
  root: string,
  path: string,
): Promise<{ readonly text: string; readonly mode: OldFile["mode"] } | null> {
  const file = join(root, path);
  const look = await lstat(file).catch(() => null);
  if (look === null || !look.isFile() || look.size > LARGEST_BYTES) return null;
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null ? null : { text, mode: (look.mode & 0o100) === 0 ? "100644" : "100755" };
}

/** What a test file has to say to be compared with a snapshot. */
const COMPARES = /\btoMatchSnapshot\b|\bmatchSnapshot\b|\bassert_\w*snapshot!/;

/** `__snapshots__/a.test.js.snap` and `snapshots/a__tests__b.snap`, of a test file that uses them. */
function isSnapshotOf(path: string, test: { readonly path: string; readonly text: string }): boolean {
  if (!path.endsWith(".snap") || !COMPARES.test(test.text)) return false;
  const home = folderOf(test.path);
  const own = nameOf(test.path);
  if (path === below(home, `__snapshots__/${own}.snap`)) return true;
  return folderOf(path) === below(home, "snapshots") && nameOf(path).includes(own.replace(/\.rs$/, ""));
}

/** The snapshots with other contents; null: in a form that isn't known. */
function alteredSnapshots(text: string, nonce: string): string | null {
  // Within the lines of a snapshot: those around it only set it apart.
  if (text.includes("\nexports[`")) return text.replaceAll(/`\] = `(\n?)/g, (start) => start + nonce);
  return text.startsWith("---\n") ? `${text.trimEnd()}\n${nonce}\n` : null;
}

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { topFrame, type Loop, type Origin } from "../../core/loop/loop.ts";
import { readBounded } from "../../system/files/read-file.ts";
import { writeAtomically } from "../../system/files/write-atomically.ts";
import { progressView } from "../../views/files/progress.ts";
import { stateView, workflowView, type StateView } from "../../views/files/state.ts";
import { agreedIn } from "../../views/shape.ts";
import type { Project } from "./project.ts";
import { createHash } from "node:crypto";
import { readClaimedStatus } from "../../core/loop/criterion.ts";
import type { Claim } from "../../core/stop/facts.ts";
import { isObject } from "../../core/plain-object.ts";
import { errnoOf } from "../../system/files/path-errors.ts";

const SIZE_LIMIT_BYTES = 4 * 1024 * 1024;

/**
 * Writes what can be rebuilt from the journal. Skips a file that cannot be written or whose folder is gone, since the journal
 * has it all. A project has one of each, and an attempt at a task leaves them to its workflow.
 */
export async function writeProjections(project: Project, loop: Loop, sequence: number): Promise<void> {
  if (loop.attemptOf !== null) return;
  attempt(() => writeStateFile(project, stateView(loop, sequence)));
  attempt(() => writeIfChanged(join(project.folder, "PROGRESS.md"), progressView(loop)));
  if (topFrame(loop).exitRule === "tasks") {
    const text = `${JSON.stringify(workflowView(loop), null, 2)}\n`;
    attempt(() => writeIfChanged(join(project.folder, "workflow-state.json"), text));
  }
  await writeShape(join(project.folder, "shape"), loop).catch(() => {
    // see above
  });
}

/** Its last line is a digest of what it shows and how, so that a stop need not read the spec to know that nothing changed. */
async function writeShape(folder: string, loop: Loop): Promise<void> {
  makeFolder(folder);
  const path = join(folder, "SHAPE.md");
  const agreed = agreedIn(loop);
  const ending = (text: string): string => `\n<!-- ${digestOf({ agreed, text })} -->\n`;
  const current = contentOf(path);
  const text = current?.slice(0, -ending("").length);
  if (text !== undefined && current === text + ending(text)) return;
  const { shapeView } = await import("../../views/files/shape.ts");
  const view = shapeView(agreed);
  writeAtomically(path, view + ending(view));
}

/** Most records change few projections, and reading costs a tenth of writing. */
function writeIfChanged(path: string, text: string): void {
  if (contentOf(path) !== text) writeAtomically(path, text);
}

function contentOf(path: string): string | null {
  try {
    return readBounded(path, SIZE_LIMIT_BYTES);
  } catch {
    return null;
  }
}

/** Not recursive: a projection doesn't recreate a deleted `.loop/`. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // it exists, or its parent doesn't; the write will tell
  }
}

function attempt(write: () => void): void {
  try {
    write();
  } catch {
    // see above
  }
}

/** What `state.json` says about a loop, compared with the journal. */
type StateFile =
  /** Missing, about another loop, or unchanged. */
  | { readonly type: "nothing-new" }
  /** Somebody edited it: claims, and nothing more. */
  | { readonly type: "edited"; readonly claims: readonly Claim[] }
  /** It mentions records that the journal no longer has. */
  | { readonly type: "ahead"; readonly sequence: number }
  | { readonly type: "unreadable"; readonly why: string };

function statePath(project: Project): string {
  return join(project.folder, "state.json");
}

function writeStateFile(project: Project, view: StateView): void {
  if (!mayReplace(readObject(statePath(project)), view)) return;
  const text = JSON.stringify({ ...view, digest: digestOf(view) }, null, 2);
  writeAtomically(statePath(project), `${text}\n`);
}

export function readStateFile(project: Project, loop: Loop, sequence: number): StateFile {
  const read = readObject(statePath(project));
  if (read.type !== "object") return read;
  const { digest, ...fields } = read.value;
  const loopId = fields["loopId"];
  if (loopId !== undefined && loopId !== loop.id) return { type: "nothing-new" };
  if (loopId === undefined && !isAboutSpec(fields, loop.origin, topFrame(loop).spec))
    return { type: "nothing-new" };
  const asWritten = isAsWritten(digest, fields);
  if (asWritten === null) return unreadable("it is nested too deeply");
  if (asWritten) {
    const written = fields["sequence"];
    return typeof written === "number" && written > sequence
      ? { type: "ahead", sequence: written }
      : { type: "nothing-new" };
  }
  const why = misshapen(fields);
  return why === null ? { type: "edited", claims: claimsOf(fields, loop) } : { type: "unreadable", why };
}

/**
 * Leaves a damaged file for inspection and an edit of another loop for that loop. A slower writer doesn't replace what a later
 * one wrote.
 */
function mayReplace(current: ReturnType<typeof readObject>, view: StateView): boolean {
  if (current.type !== "object") return current.type === "nothing-new";
  const { digest, ...fields } = current.value;
  const asWritten = isAsWritten(digest, fields);
  if (asWritten === null) return false;
  if (!asWritten) {
    const loopId = fields["loopId"];
    return (
      misshapen(fields) === null &&
      (loopId === view.loopId ||
        (loopId === undefined && (fields["spec"] === undefined || fields["spec"] === view.spec)))
    );
  }
  const sequence = fields["sequence"];
  return fields["loopId"] !== view.loopId || typeof sequence !== "number" || sequence < view.sequence;
}

/** An agent that rewrites the file leaves our marks out; then the spec identifies the loop. */
function isAboutSpec(fields: Fields, origin: Origin, spec: string): boolean {
  return origin === "state-file" || fields["spec"] === undefined || fields["spec"] === spec;
}

/** null: nested too deeply. */
function isAsWritten(digest: unknown, fields: Fields): boolean | null {
  try {
    return digest === digestOf(fields);
  } catch {
    return null;
  }
}

type Fields = { readonly [key: string]: unknown };

function readObject(
  path: string,
): { type: "object"; value: Fields } | Exclude<StateFile, { type: "edited" | "ahead" }> {
  let text: string;
  try {
    text = readBounded(path, SIZE_LIMIT_BYTES).replace(/^\uFEFF/, "");
  } catch (error) {
    return errnoOf(error) === "ENOENT"
      ? { type: "nothing-new" }
      : unreadable(errnoOf(error) ?? (error as Error).message);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { type: "object", value };
    return unreadable("it is not a JSON object");
  } catch {
    return unreadable("it is not valid JSON");
  }
}

function unreadable(why: string): { type: "unreadable"; why: string } {
  return { type: "unreadable", why: `.loop/state.json cannot be understood: ${why}` };
}

/** Counters that aren't numbers and lists that aren't lists mean a damaged file, not a claim. */
function misshapen(fields: Fields): string | null {
  const breaker = fields["circuitBreaker"];
  const counters = [fields["iteration"], isObject(breaker) ? breaker["stuckCount"] : undefined];
  if (counters.some((counter) => counter !== undefined && !Number.isSafeInteger(counter))) {
    return ".loop/state.json cannot be understood: a counter is not a number";
  }
  const status = fields["criteriaStatus"];
  if (status !== undefined && !isObject(status))
    return ".loop/state.json cannot be understood: criteriaStatus is not an object";
  return null;
}

/** Reads only names that the loop knows. */
export function claimsOf(fields: Fields, loop: Loop): readonly Claim[] {
  const frame = topFrame(loop);
  const source = "state-file";
  const claims: Claim[] = [];
  const status = fields["criteriaStatus"];
  for (const { name } of frame.criteria) {
    const said = isObject(status) && Object.hasOwn(status, name) ? readClaimedStatus(status[name]) : null;
    if (said?.met === true) claims.push({ type: "met", name, by: said.by, source });
    if (said?.met === false) claims.push({ type: "unmet", name, source });
  }
  const completed = fields["completedSteps"];
  if (Array.isArray(completed)) {
    const names = new Set<unknown>(completed);
    for (const { name } of frame.steps) if (names.has(name)) claims.push({ type: "step-done", name, source });
  }
  if (fields["exit_signal"] === true) claims.push({ type: "exit", source });
  if (fields["exit_signal"] === false) claims.push({ type: "no-exit", source });
  return claims;
}

function digestOf(fields: object): string {
  return createHash("sha256").update(JSON.stringify(fields)).digest("hex").slice(0, 32);
}

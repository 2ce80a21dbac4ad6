import { parseLoopId, type LoopId } from "../../core/loop/id.ts";
import { changesBehindClaims, type DoneInIteration } from "../../engine/lifecycle/iteration-changes.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { redactor } from "../../system/secrets/redact.ts";
import type { StatusView } from "../../views/status.ts";
import { projectName } from "./board.ts";
import { Details } from "./detail.ts";
import type { DashboardOptions } from "./server.ts";
import { pageWithData } from "./page-file.ts";
import { reviewedOf, type Reviewed } from "./reviewed.ts";
import { workOf, type Work } from "./work.ts";

/** What an exported page shows. */
export interface Exported {
  readonly key: string;
  readonly view: StatusView;
  readonly work: Work | null;
  readonly done: readonly DoneInIteration[];
  /** Of a plan. */
  readonly reviewed: Reviewed | null;
  /** Of a plan: what happened inside its attempts. */
  readonly attempts: readonly StatusView[];
}

/** What pages of an exported file read instead of a server. */
export interface ExportedData extends Exported {
  readonly exportedAt: string;
  /** Outputs that were too long for the file, by name. */
  readonly cut: readonly string[];
}

const LARGEST_BYTES = 5 * 1024 * 1024;
/** Left for the page itself. */
const PAGE_BYTES = 512 * 1024;

/** Older ones are only counted and timed. */
const MOST_ATTEMPTS = 100;

/** Everything that a page shows of a loop. */
export async function exportable(machine: Machine, known: KnownLoop): Promise<Exported> {
  const { project } = known.live;
  const name = projectName(project.root);
  const details = new Details(machine);
  const viewOf = async (id: LoopId): Promise<StatusView> =>
    details.viewOf({ key: `${name}/${id}`, project, id });
  const view = await viewOf(known.id);
  const attempts: StatusView[] = [];
  for (const { loop } of (view.workflow?.attempts ?? []).slice(-MOST_ATTEMPTS)) {
    const id = parseLoopId(loop);
    if (id !== null) attempts.push(await viewOf(id));
  }
  const [work, done, reviewed] = await Promise.all([
    workOf(machine, known),
    changesBehindClaims(machine, known),
    reviewedOf(machine, known),
  ]);
  return { key: `${name}/${known.id}`, view, work, done, reviewed, attempts };
}

export function exportedHtml(
  { page, machine }: Pick<DashboardOptions, "page" | "machine">,
  exported: Exported,
): string {
  return pageWithData(page, exportedData(machine, exported));
}

const LONGEST_KEPT = 256 * 1024;
const SHORTEST_KEPT = 128;

/** Without secrets, and small enough: the longest outputs go first, then attempts, then the oldest iterations. All that is cut is named. */
export function exportedData(
  { env, now }: Pick<DashboardOptions["machine"], "env" | "now">,
  exported: Exported,
  largest = LARGEST_BYTES - PAGE_BYTES,
): ExportedData {
  const at = new Date(now()).toISOString();
  const redacted = eachText(exported, redactor(env)) as Exported;
  let data: ExportedData = { ...redacted, exportedAt: at, cut: [] };
  for (let limit = LONGEST_KEPT; sizeOf(data) > largest && limit >= SHORTEST_KEPT; limit /= 2) {
    const cut: string[] = [];
    const shorter = withShorter(redacted, limit, cut) as Exported;
    const main = `${redacted.view.id}, `;
    data = { ...shorter, exportedAt: at, cut: cut.map((name) => name.replace(main, "")) };
  }
  if (sizeOf(data) > largest && data.attempts.length > 0)
    data = { ...data, attempts: [], cut: [...data.cut, "what happened inside attempts"] };
  while (sizeOf(data) > largest && data.view.iterations.length > 1) data = withFewerIterations(data);
  return data;
}

function withFewerIterations(data: ExportedData): ExportedData {
  const { iterations } = data.view;
  const kept = iterations.slice(Math.ceil(iterations.length / 2));
  const name = `iterations before ${kept[0]?.iteration ?? ""}`;
  const cut = [...data.cut.filter((each) => !each.startsWith("iterations before")), name];
  return { ...data, view: { ...data.view, iterations: kept }, cut };
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function eachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((each) => eachText(each, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, eachText(each, change)]));
}

const MOST_NAMED = 50;

/** Long texts lose their beginning, and long lists of changed lines their end. `cut` gets their names. */
function withShorter(value: unknown, limit: number, cut: string[], names: readonly string[] = []): unknown {
  const note = (): void => {
    const name = names.join(", ");
    if (cut.length < MOST_NAMED && !cut.includes(name)) cut.push(name);
  };
  if (typeof value === "string") {
    if (value.length <= limit) return value;
    note();
    return `… ${value.length - limit} characters left out …\n${value.slice(-limit)}`;
  }
  if (Array.isArray(value)) {
    // A long list of changed lines is as long as a long text.
    const most = names.at(-1) === "lines" ? Math.max(20, Math.floor(limit / 32)) : value.length;
    if (most < value.length) note();
    return value.slice(0, most).map((each) => withShorter(each, limit, cut, names));
  }
  if (typeof value !== "object" || value === null) return value;
  const own = nameOf(value);
  const all = own === null ? names : [...names, own];
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const isList = Array.isArray(each) && name !== "lines";
      const isText = typeof each === "string" || name === "lines";
      return [name, withShorter(each, limit, cut, isText && !isList ? [...all, name] : all)];
    }),
  );
}

/** What people call a part: an iteration, a check, a proof, a file, an attempt. */
function nameOf(value: object): string | null {
  const { iteration, task, name, kind, path, id } = value as { readonly [field: string]: unknown };
  if (typeof iteration === "number" && "verdict" in value) return `iteration ${iteration}`;
  const found = [name, path, kind, task, id].find((each) => typeof each === "string");
  return found === undefined ? null : oneLine(found, 60);
}

import { redactor } from "../../system/secrets/redact.ts";
import type { StatusView } from "../../views/status.ts";
import type { DashboardOptions } from "./server.ts";
import { pageWithData } from "./page-file.ts";
import type { Work } from "./work.ts";

/** What an exported page shows. */
export interface Exported {
  readonly key: string;
  readonly view: StatusView;
  readonly work: Work | null;
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

export function exportedHtml(
  { page, machine }: Pick<DashboardOptions, "page" | "machine">,
  exported: Exported,
): string {
  return pageWithData(page, exportedData(machine, exported));
}

/** Without secrets, and small enough: the longest outputs go first, and are named. */
export function exportedData(
  { env, now }: Pick<DashboardOptions["machine"], "env" | "now">,
  exported: Exported,
  largest = LARGEST_BYTES - PAGE_BYTES,
): ExportedData {
  const redact = redactor(env);
  const at = new Date(now()).toISOString();
  const redacted = eachText(exported, redact) as Exported;
  const cut: string[] = [];
  let data: ExportedData = { ...redacted, exportedAt: at, cut };
  for (let limit = 256 * 1024; sizeOf(data) > largest && limit > 64; limit /= 2) {
    cut.length = 0;
    data = { ...(withShorter(redacted, limit, cut) as Exported), exportedAt: at, cut };
  }
  return data;
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

/** Long texts lose their beginning. `cut` gets the names of where they stood. */
function withShorter(value: unknown, limit: number, cut: string[], path = ""): unknown {
  if (typeof value === "string") {
    if (value.length <= limit) return value;
    if (cut.length < MOST_NAMED) cut.push(path);
    return `… ${value.length - limit} characters left out …\n${value.slice(-limit)}`;
  }
  if (Array.isArray(value)) {
    // A long list of changed lines is as long as a long text.
    const most = path.endsWith(".lines") ? Math.max(20, Math.floor(limit / 32)) : value.length;
    if (most < value.length && cut.length < MOST_NAMED) cut.push(path);
    return value.slice(0, most).map((each, index) => withShorter(each, limit, cut, `${path}[${index}]`));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withShorter(each, limit, cut, `${path}.${name}`)]),
  );
}

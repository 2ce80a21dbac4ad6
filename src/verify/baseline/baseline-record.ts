import { createHash } from "node:crypto";
import { join } from "node:path";
import * as v from "valibot";
import type { LoopId } from "../../core/loop/id.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import type { Definition } from "../definitions/definition.ts";
import { approvalFolder } from "../../storage/home/approval-record.ts";
import type { TestReport } from "../reports/test-report.ts";
import type { Kept } from "./kept-files.ts";

/** The result of a check before the work. */
export interface StartLook {
  readonly passed: boolean;
  /** null: it did not end by itself. */
  readonly exitCode: number | null;
  readonly report: TestReport | null;
  /** It could not even start, so its failure says nothing about the work. */
  readonly neverBegan: boolean;
  /** It ran in an agent's environment, which can make anything fail, so a failure shows nothing. */
  readonly isAgents: boolean;
  /** Milliseconds since the epoch; null: unknown. */
  readonly endedAt: number | null;
}

/** What this machine knows about the moment a check is compared with. Outside the project, like the approval record. */
export interface Baseline {
  readonly at: number;
  readonly kept: Kept;
  /** Files that a person approved since, and where those versions are kept; the last one counts. */
  readonly approved: readonly { readonly kept: Kept; readonly paths: readonly string[] }[];
  /** null for the opening of a whole frame. */
  readonly meaning: CheckDefinitions | null;
  /** null: not checked. */
  readonly start: StartLook | null;
}

export interface CheckDefinitions {
  /** The command it was determined for: another command has another meaning. */
  readonly command: string;
  readonly definitions: readonly Definition[];
  readonly runsTests: boolean;
  /** How many were found beyond the limit. */
  readonly leftOut: number;
  /** The files among them that the check's own run at the opening wrote. */
  readonly built: readonly string[];
  /** Contents, in base64, of files missing from the project's listing. */
  readonly unlisted: { readonly [path: string]: string };
}

/** A loop of this machine: the state home, the project's root, and its id. */
export interface WhichLoop {
  readonly home: string;
  readonly root: string;
  readonly id: LoopId;
}

/**
 * The loop and its level; `name` and `command` are a criterion's, or null for the frame's own. A replaced check has another
 * opening, and the old one stays until the journal records it.
 */
export interface WhichBaseline extends WhichLoop {
  readonly depth: number;
  readonly name: string | null;
  readonly command: string | null;
}

/** Where the openings of one frame are. */
export type WhichFrame = Omit<WhichBaseline, "name" | "command">;

const kept: v.GenericSchema<unknown, Kept> = v.variant("type", [
  v.object({ type: v.literal("git"), commit: v.pipe(v.string(), v.regex(/^[0-9a-f]{40,64}$/)) }),
  v.object({ type: v.literal("copy"), folder: v.string() }),
  v.object({ type: v.literal("none"), why: v.string() }),
]);

const report: v.GenericSchema<unknown, TestReport> = v.object({
  runner: v.string(),
  executed: v.number(),
  passed: v.number(),
  failed: v.number(),
  skipped: v.number(),
  todo: v.number(),
  deselected: v.number(),
  errors: v.number(),
  names: v.nullable(v.array(v.string())),
  unit: v.picklist(["tests", "packages"]),
  reports: v.number(),
  withoutTests: v.array(v.string()),
  isCutShort: v.boolean(),
  isContradictory: v.boolean(),
  isPartial: v.boolean(),
});

const schema: v.GenericSchema<unknown, Baseline> = v.object({
  at: v.number(),
  kept,
  approved: v.array(v.object({ kept, paths: v.array(v.string()) })),
  meaning: v.nullable(
    v.object({
      command: v.string(),
      definitions: v.array(
        v.object({
          kind: v.picklist(["script", "config", "test", "inline", "input"]),
          path: v.string(),
          part: v.nullable(v.string()),
          digest: v.nullable(v.string()),
        }),
      ),
      runsTests: v.boolean(),
      leftOut: v.number(),
      // Openings of earlier versions don't say.
      built: v.optional(v.array(v.string()), []),
      unlisted: v.record(v.string(), v.string()),
    }),
  ),
  start: v.nullable(
    v.object({
      passed: v.boolean(),
      exitCode: v.nullable(v.number()),
      report: v.nullable(report),
      // Openings of earlier versions don't say.
      neverBegan: v.optional(v.boolean(), false),
      isAgents: v.boolean(),
      endedAt: v.optional(v.nullable(v.number()), null),
    }),
  ),
});

export function readBaseline(which: WhichBaseline): Baseline | null {
  return readJsonFile(fileOf(which), schema);
}

export function writeBaseline(which: WhichBaseline, baseline: Baseline): void {
  writePrivateJson(fileOf(which), baseline);
}

/** Where the openings of a loop are, and copies of a project without git. */
export function baselinesFolder({ home, root, id }: WhichLoop): string {
  return join(approvalFolder({ home, root, loop: id }), "openings");
}

/** A criterion's name can be any text; a file's name cannot. */
function fileOf(which: WhichBaseline): string {
  const key = createHash("sha256").update(JSON.stringify([which.depth, which.name, which.command]));
  return join(baselinesFolder(which), `${key.digest("hex").slice(0, 32)}.json`);
}

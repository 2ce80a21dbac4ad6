import * as v from "valibot";
import { PROOF_KINDS, PROOF_RESULTS, type Changes, type Proven } from "../../core/loop/proof.ts";

const texts = v.array(v.string());

const checkChanges = v.object({
  before: v.picklist(["red", "unrun", "green", "unknown"]),
  definitions: v.array(
    v.object({
      name: v.string(),
      path: v.string(),
      isTest: v.boolean(),
      change: v.picklist(["added", "changed", "removed"]),
      isExempt: v.boolean(),
    }),
  ),
  shortfalls: v.nullable(
    v.array(
      v.object({
        text: v.string(),
        isClear: v.boolean(),
        isOfNumbers: v.boolean(),
        isUnread: v.exactOptional(v.boolean()),
      }),
    ),
  ),
  altersFiles: v.boolean(),
  judgesSource: v.boolean(),
});

const stored = v.object({
  changes: v.object({
    missing: v.nullable(v.string()),
    checks: v.array(v.tuple([v.string(), checkChanges])),
    isWorkThere: v.boolean(),
    files: v.nullable(v.object({ source: texts, tests: texts, definitions: texts, deleted: texts })),
  }),
  shown: v.array(
    v.object({
      name: v.nullable(v.string()),
      kind: v.picklist(PROOF_KINDS),
      result: v.picklist(PROOF_RESULTS),
      detail: v.nullable(v.string()),
      files: texts,
      output: v.nullable(v.string()),
      hasNoticed: v.exactOptional(v.boolean()),
      ran: v.exactOptional(
        v.object({ command: v.string(), exitCode: v.nullable(v.number()), output: v.string() }),
      ),
    }),
  ),
  holdouts: texts,
});

/** In a form that JSON can store. */
export function storedProven({ changes, ...rest }: Proven): v.InferOutput<typeof stored> {
  const checks = [...changes.checks].map(
    ([name, each]): v.InferOutput<typeof stored>["changes"]["checks"][number] => [
      name,
      structuredClone(each) as v.InferOutput<typeof checkChanges>,
    ],
  );
  return structuredClone({ ...rest, changes: { ...changes, checks } }) as v.InferOutput<typeof stored>;
}

/** null: not in the stored form. */
export function provenIn(value: unknown): Proven | null {
  const parsed = v.safeParse(stored, value);
  if (!parsed.success) return null;
  const { changes, ...rest } = parsed.output;
  const restored: Changes = { ...changes, checks: new Map(changes.checks) };
  return { ...rest, changes: restored };
}

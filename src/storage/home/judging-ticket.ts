import { randomBytes } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import type { LoopId } from "../../core/id.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { lockFolder } from "./loop-lock.ts";

const TICKET = /^[0-9a-f]{32}$/;

const schema = v.object({
  startedAt: v.number(),
  expiresAt: v.number(),
  names: v.array(v.string()),
  /** The results as events; null while the checks run. */
  shown: v.nullable(v.array(v.unknown())),
  /** The proofs; null if a check failed or no proofs were needed. */
  proven: v.optional(v.unknown(), null),
});

/**
 * The mark of checks that a hook started and could not wait for. Only the hook writes one, in the state home, and a later stop
 * counts only results with a ticket. A plain `loop check` has none.
 */
export type JudgingTicket = Readonly<v.InferOutput<typeof schema>> & { readonly id: string };

interface Whose {
  readonly home: string;
  readonly root: string;
  readonly loop: LoopId;
}

export function issueTicket(
  whose: Whose,
  ticket: Pick<JudgingTicket, "startedAt" | "expiresAt" | "names">,
): JudgingTicket {
  const issued = { ...ticket, id: randomBytes(16).toString("hex"), shown: null, proven: null };
  write(whose, issued);
  return issued;
}

/** The open ticket; the last one if there are several. */
export function findTicket(whose: Whose): JudgingTicket | null {
  const found = idsIn(whose).flatMap((id) => readTicket(whose, id) ?? []);
  return found.toSorted((one, other) => other.startedAt - one.startedAt)[0] ?? null;
}

export function readTicket(whose: Whose, id: string): JudgingTicket | null {
  if (!TICKET.test(id)) return null;
  const ticket = readJsonFile(pathOf(whose, id), schema);
  return ticket === null ? null : { ...ticket, id };
}

/** Only once: nobody can replace the results of a ticket. */
export function keepShown(
  whose: Whose,
  ticket: JudgingTicket,
  { shown, proven }: { readonly shown: readonly unknown[]; readonly proven: unknown },
): void {
  if (readTicket(whose, ticket.id)?.shown === null) write(whose, { ...ticket, shown: [...shown], proven });
}

/** A ticket works once, and older ones are void. */
export function dropTickets(whose: Whose): void {
  for (const id of idsIn(whose)) rmSync(pathOf(whose, id), { force: true });
}

function write(whose: Whose, { id, ...ticket }: JudgingTicket): void {
  writePrivateJson(pathOf(whose, id), ticket);
}

function idsIn({ home, root, loop }: Whose): readonly string[] {
  try {
    const names = readdirSync(join(lockFolder({ home, root, loop }), "judging"));
    return names.map((name) => name.replace(/\.json$/, "")).filter((id) => TICKET.test(id));
  } catch {
    return [];
  }
}

function pathOf({ home, root, loop }: Whose, id: string): string {
  return join(lockFolder({ home, root, loop }), "judging", `${id}.json`);
}

import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import type { LoopId } from "../../core/id.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { lockFolder } from "./loop-lock.ts";

const TICKET = /^[0-9a-f]{32}$/;

const schema = v.object({
  /** The files at the opening. */
  tree: v.string(),
  expiresAt: v.number(),
  /** The criterion it is about; null: all of them. */
  name: v.optional(v.nullable(v.string()), null),
});

type PreflightTicket = Readonly<v.InferOutput<typeof schema>>;

interface Whose {
  readonly home: string;
  readonly root: string;
  readonly loop: LoopId;
}

/** The mark of a preflight that continues after an opening. Only the opening writes one. */
export function issuePreflightTicket(whose: Whose, ticket: PreflightTicket): string {
  const id = randomBytes(16).toString("hex");
  writePrivateJson(pathOf(whose, id), ticket);
  return id;
}

/** It works once. */
export function takePreflightTicket(whose: Whose, id: string, now: number): PreflightTicket | null {
  if (!TICKET.test(id)) return null;
  const ticket = readJsonFile(pathOf(whose, id), schema);
  rmSync(pathOf(whose, id), { force: true });
  return ticket !== null && now < ticket.expiresAt ? ticket : null;
}

function pathOf({ home, root, loop }: Whose, id: string): string {
  return join(lockFolder({ home, root, loop }), "preflight", `${id}.json`);
}

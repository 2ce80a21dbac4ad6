import type { Gate } from "../play.ts";
import { exitCode, promise } from "./plain.ts";
import { driven } from "./run.ts";
import { session } from "./session.ts";

export const standard = driven("standard");

export const DEEP_GATES: readonly Gate[] = [promise, exitCode, standard, driven("strict"), session];

/** What a promise accepts is known, and strictness and sessions change no proof. */
export const WIDE_GATES: readonly Gate[] = [exitCode, standard];

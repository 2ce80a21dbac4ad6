import type { Gate } from "../play.ts";
import { exitCode, promise } from "./plain.ts";
import { driven } from "./run.ts";
import { session } from "./session.ts";

export const GATES: readonly Gate[] = [promise, exitCode, driven("standard"), driven("strict"), session];

import { randomUUID } from "node:crypto";
import { askerOfLoop } from "../../src/engine/asking/loop-account.ts";
import type { SessionId } from "../../src/core/loop/id.ts";
import { createMachine } from "../../src/storage/loops/machine.ts";
import { rehearsalOf } from "../../src/engine/run/agent-choice.ts";
import { openAskingLoop, question } from "../support/asking-loop.ts";

/** Opens a loop in the folder where it is started, and puts one question about a commit to a played agent. */
const [scripts = "", cli = "", commit = ""] = process.argv.slice(2);
const machine = createMachine(process.env, process.cwd());
const run = `run-${randomUUID()}` as SessionId;
const { live } = await openAskingLoop(machine, run);
const asker = askerOfLoop({ machine, live, run, choice: rehearsalOf(scripts), cli });
const asked = await asker.ask(question({ commit }), new AbortController().signal);
process.stdout.write(JSON.stringify(asked));

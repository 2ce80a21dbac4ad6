import { expect, test } from "vitest";
import { passWords } from "../src/engine/fleet/pass-words.ts";
import { JournalError } from "../src/storage/journal/journal-error.ts";
import type { Machine } from "../src/storage/loops/machine.ts";
import { PATIENT } from "./support/patience.ts";
import { QueueStage } from "./support/queue-stage.ts";

/** A disk that is full for the first few records. */
function fullAtFirst(machine: Machine, refusals: number): Machine {
  let left = refusals;
  return {
    ...machine,
    journals: (project) => {
      const journals = machine.journals(project);
      return {
        ...journals,
        of: (id) => {
          const journal = journals.of(id);
          return {
            ...journal,
            append: async (...what) => {
              left -= 1;
              if (left >= 0) throw new JournalError("unwritable", "the disk is full");
              return journal.append(...what);
            },
          };
        },
      };
    },
  };
}

test("what a person says is passed on as often as it was said, and again where the disk was full", async () => {
  const { context } = await QueueStage.of({ "T-001": "true" });
  const { machine, live } = context;
  const told = ["the port is 8080", "go on", "go on"];
  await live.record(() => [{ type: "words.told", text: "go on", task: null }]);
  const words = passWords(
    { machine: fullAtFirst(machine, 2), project: live.project, loop: live.id },
    () => told,
  );
  words.start();
  await expect
    .poll(async () => (await live.refresh()).words.map(({ text }) => text).toSorted(), PATIENT)
    .toEqual(["go on", "go on", "the port is 8080"]);
  await words.stop();
});

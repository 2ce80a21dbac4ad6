import { isOpen, inspectLoop, isAbandoned, type KnownLoop } from "../../storage/loops/known-loop.ts";
import { factsWithFiles, type FileMemory } from "../../engine/lifecycle/iteration-files.ts";
import { JournalStory, type AttemptMemory } from "../../engine/lifecycle/loop-facts.ts";
import { asItIsNow, viewOfUnreadable } from "../../engine/lifecycle/status.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { statusView, type StatusView } from "../../views/status.ts";
import type { Place } from "./board.ts";

interface Kept {
  readonly story: JournalStory;
  readonly attempts: AttemptMemory;
  readonly files: FileMemory;
}

/** So many loops are kept folded; others are read again when somebody looks. */
const MOST_KEPT = 16;

/** Whole loops, for the views of one loop. */
export class Details {
  readonly #machine: Machine;
  readonly #kept = new Map<string, Kept>();

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  async viewOf({ key, project, id }: Place): Promise<StatusView> {
    const found = await inspectLoop(this.#machine, project, id);
    if (found.type !== "loop") {
      this.#kept.delete(key);
      return viewOfUnreadable(found, project.root);
    }
    const { story, attempts, files } = this.#keep(key, found);
    const tree = isOpen(found) ? await this.#machine.git.readTree(found.workingDirectory.root) : null;
    const facts = await factsWithFiles(this.#machine, found, story, { attempts, files });
    return statusView(
      await asItIsNow(this.#machine, found),
      tree?.digest ?? null,
      isAbandoned(found.live.loop),
      facts,
    );
  }

  #keep(key: string, known: KnownLoop): Kept {
    const kept = this.#kept.get(key) ?? {
      story: new JournalStory(known),
      attempts: new Map(),
      files: new Map(),
    };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const oldest of [...this.#kept.keys()].slice(0, -MOST_KEPT)) this.#kept.delete(oldest);
    return kept;
  }
}

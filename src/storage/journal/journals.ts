import { fileJournals } from "./file/file-journals.ts";
import type { Journals } from "./journal.ts";

/** Where a project's journals are kept. So far only as files, in the folder of its loops. */
export function journalsOf(loops: string): Journals {
  return fileJournals(loops);
}

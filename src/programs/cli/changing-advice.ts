import { isInRepository } from "../../storage/home/project.ts";

/** What to do about a check that changes the project's files. */
export function changingAdvice(folder: string): string {
  return isInRepository(folder)
    ? "make git ignore what it writes."
    : "make it write outside the project, or its pass is weak.";
}

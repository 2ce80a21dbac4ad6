import { saysProgramIsMissing } from "../../../verify/checks/cannot-run.ts";

/** How the machine, or a check, says that something could not even begin. */
const NEVER_BEGAN = [
  /\ba check can't run in a fresh worktree\b/,
  /\bcannot be started\b/,
  /\bcould not start\b/,
  /\b(?:worktree can't be made|files can't be kept)\b/,
  /\bno commit that tasks could start from\b/,
  /\bthe spec is too vague\b/,
  // Node's test runner, about a file that isn't there.
  /^Could not find '.+'$/m,
];

/** About a command or this machine on that day, and not about the project: nothing that a later loop should know. */
export function isPlumbing(detail: string): boolean {
  return saysProgramIsMissing(detail) || NEVER_BEGAN.some((words) => words.test(detail));
}

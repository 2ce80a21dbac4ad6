export interface ProposedCheck {
  /** A statement that is true when the command succeeds. */
  readonly name: string;
  readonly command: string;
  /** Where the proposal comes from, for the person who decides. */
  readonly source: string;
}

/** What a project is set up for, whether or not it can run here. */
export interface FoundCheck extends ProposedCheck {
  /** What it needs that is not here, as a sentence that says what to do first; null: it runs as it stands. */
  readonly obstacle: string | null;
}

export const TESTS_PASS = "tests pass";
export const LINT_CLEAN = "lint clean";
export const NO_TYPE_ERRORS = "no type errors";
export const BUILD_SUCCEEDS = "build succeeds";
export const FORMAT_CLEAN = "format clean";
export const PROJECT_CHECK_PASSES = "project check passes";

export function notInstalled(source: string, program: string): string {
  return `${source} needs ${program}, which is not installed.`;
}

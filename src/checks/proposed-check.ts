export interface ProposedCheck {
  /** A statement that is true when the command succeeds. */
  readonly name: string;
  readonly command: string;
  /** Where the proposal comes from, for the person who decides. */
  readonly source: string;
}

export const TESTS_PASS = "tests pass";
export const LINT_CLEAN = "lint clean";
export const NO_TYPE_ERRORS = "no type errors";
export const BUILD_SUCCEEDS = "build succeeds";
export const FORMAT_CLEAN = "format clean";
export const PROJECT_CHECK_PASSES = "project check passes";

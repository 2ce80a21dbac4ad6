/**
 * What the documents tell a newcomer to type that needs npm's registry or Claude Code. `e2e/package.test.ts` types each of
 * them on a machine that has nothing of Loopwright.
 */
export const PACKAGE_LINES = [
  "npx loopwright demo",
  "npm install -g loopwright",
  "loop demo",
  "loop doctor",
  'claude plugin marketplace add "$(loop plugin path)"',
  "claude plugin install loop@loopwright",
  "npm install -g loopwright@latest",
  "claude plugin marketplace update loopwright",
  "claude plugin update loop@loopwright",
  "claude plugin uninstall loop@loopwright",
  "claude plugin marketplace remove loopwright",
  "npm uninstall -g loopwright",
] as const;

export type PackageLine = (typeof PACKAGE_LINES)[number];

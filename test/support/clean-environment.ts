import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const KEPT =
  /^(PATH|LANG|LC_.*|TMPDIR|TEMP|TMP|SYSTEMROOT|VITEST.*|NODE_ENV|CI|LOOP_TEST_.*|TEST|PROD|DEV|MODE|BASE_URL|SSR)$/i;

for (const name of Object.keys(process.env)) {
  if (!KEPT.test(name)) delete process.env[name];
}
const home = mkdtempSync(join(tmpdir(), "loopwright-home-"));
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
process.env["HOME"] = home;
process.env["XDG_STATE_HOME"] = join(home, "state");
process.env["GIT_CONFIG_NOSYSTEM"] = "1";
process.env["GIT_AUTHOR_NAME"] = process.env["GIT_COMMITTER_NAME"] = "Test";
process.env["GIT_AUTHOR_EMAIL"] = process.env["GIT_COMMITTER_EMAIL"] = "test@example.invalid";

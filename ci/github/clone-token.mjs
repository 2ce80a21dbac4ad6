import { readFileSync } from "node:fs";

/** actions/checkout leaves the job's token in the clone unless told otherwise. Later steps may need it, so it stays. */
export function warnOfCloneToken(say) {
  let config;
  try {
    config = readFileSync(".git/config", "utf8");
  } catch {
    return;
  }
  if (/extraheader\s*=\s*authorization|git-credentials-/i.test(config)) {
    say("The agent can read the job's token in .git/config; set persist-credentials: false.");
  }
}

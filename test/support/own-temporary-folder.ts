import { rmSync } from "node:fs";
import { makeTemporaryFolder } from "./temporary-folder.ts";

/** Everything that tests leave in the temporary folder goes with them. */
export default function ownTemporaryFolder(): () => void {
  const folder = makeTemporaryFolder();
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { writePrivateJson } from "../../system/files/json-file.ts";

/** The digest of a plan's text, as `sha256sum` prints it for its file. */
export function planDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Whether a person approved the commands of this very text for this very project. */
export function isPlanApproved(home: string, root: string, text: string): boolean {
  return existsSync(approvalPath(home, root, text));
}

export function approvePlan(home: string, root: string, text: string): void {
  writePrivateJson(approvalPath(home, root, text), { root });
}

function approvalPath(home: string, root: string, text: string): string {
  return join(home, "plans", `${planDigest(`${root}\0${text}`)}.json`);
}

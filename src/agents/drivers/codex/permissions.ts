import type { AskedPermissions } from "../driver.ts";
import { withoutOptions } from "../user-arguments.ts";

const MODE = "workspace-write";

/**
 * Without the first, Codex may not write. Nobody is there to approve what its sandbox forbids, so that is denied. A login
 * shell would reset PATH and not find `loop`.
 */
export const PERMISSION_SETTINGS = [
  `sandbox_mode=${MODE}`,
  "approval_policy=never",
  "allow_login_shell=false",
].flatMap((setting) => ["-c", setting]);

/** For a question. It follows the user's own arguments, so that it wins. */
export const READING = ["-c", "sandbox_mode=read-only", "-c", "approval_policy=never"];

export function withoutPermissions(args: readonly string[]): readonly string[] {
  return withoutOptions(args, {
    flags: ["--full-auto", "--yolo", "--dangerously-bypass-approvals-and-sandbox"],
    valued: ["--sandbox", "-s", "--ask-for-approval", "-a"],
  });
}

const ASKS_FOR_SANDBOX =
  /^(?:--sandbox(?:=.*)?|-s.*|--full-auto|--yolo|--dangerously-bypass-approvals-and-sandbox)$|sandbox_mode/s;

export function permits({ permissionMode, args }: AskedPermissions): string | null {
  if (permissionMode === null && args.some((arg) => ASKS_FOR_SANDBOX.test(arg))) return null;
  return permissionMode === null || permissionMode === MODE
    ? "edit files here and run commands in its sandbox, without network and without writing elsewhere"
    : `do what sandbox mode ${permissionMode} allows`;
}

/** The kernel calls a limit on namespaces a full disk, and so does `unshare`. */
const AT_THE_LIMIT = /^unshare: unshare failed: No space left on device$/;

/** Why a program that holds namespaces ended, from the first line that it printed; null: it printed nothing. */
export function namespaceComplaint(printed: string): string | null {
  const [first = ""] = printed.trim().split("\n");
  if (AT_THE_LIMIT.test(first))
    return "this system allows no more namespaces (/proc/sys/user/max_user_namespaces and max_mnt_namespaces)";
  return first === "" ? null : first;
}

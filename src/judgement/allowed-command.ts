/** What no wildcard stands for: a pattern allows the arguments of a command, and never a second command. */
const INSIDE_ONE_COMMAND = "[^;&|<>`$()\\\\\\n\\r]*";

/** Whether a command line matches one of the patterns of `--allow-check`, in which `*` stands for any arguments. */
export function isAllowed(line: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const parts = pattern.trim().split("*").map(literal);
    return new RegExp(`^${parts.join(INSIDE_ONE_COMMAND)}$`).test(line.trim());
  });
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Whether a TOML or INI text has a section, or one below it. */
export function hasSection(text: string | null, section: string): boolean {
  return (text ?? "").split("\n").some((line) => {
    const name = /^\s*\[\[?\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    return name === section || name?.startsWith(`${section}.`) === true;
  });
}

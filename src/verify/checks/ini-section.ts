/** Whether a TOML or INI text has a section, or one below it. */
export function hasSection(text: string | null, section: string): boolean {
  return (text ?? "").split("\n").some((line) => {
    const name = sectionOf(line);
    return name === section || name?.startsWith(`${section}.`) === true;
  });
}

/** What a setting of the section is, as it stands on its line; null where the section does not have it. */
export function settingIn(text: string | null, section: string, key: string): string | null {
  let current = "";
  for (const line of (text ?? "").split("\n")) {
    current = sectionOf(line) ?? current;
    const [, name, value = ""] = /^\s*([\w-]+)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
    if (current === section && name === key) return value;
  }
  return null;
}

function sectionOf(line: string): string | null {
  return /^\s*\[\[?\s*([^\]]+?)\s*\]/.exec(line)?.[1] ?? null;
}

const PROSE = /(?:\.(?:md|markdown|rst|adoc|txt)|(?:^|\/)(?:LICEN[CS]E|CHANGELOG|NOTICE|AUTHORS))$/i;

const LOCK =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|uv\.lock|Pipfile\.lock|Cargo\.lock|go\.sum|Gemfile\.lock|composer\.lock)$/;

/** Files without code, by name. */
export function isProse(path: string): boolean {
  return PROSE.test(path);
}

/** Prose and lock files go with the work, wherever they are. */
export function goesAlong(path: string): boolean {
  return isProse(path) || LOCK.test(path);
}

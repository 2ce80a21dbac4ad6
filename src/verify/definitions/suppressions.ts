/** What tells a linter, a type checker or a coverage tool to be silent, as each of them spells it. */
const SUPPRESSION =
  /@ts-(?:ignore|expect-error|nocheck)|\bas any\b|@type \{any\}|(?:eslint|oxlint|stylelint|biome|tslint|rubocop|pylint|shellcheck|prettier)[-:] ?(?:disable|ignore|off)\S*|\/\*\s*eslint\s+[\w@/-]+\s*:|#\s*type:\s*ignore|#\s*(?:ruff:\s*|flake8:\s*)?noqa|#\s*(?:mypy|pyright):\s*(?:ignore|basic|strict\s*=\s*false)\S*|\/\/\s*nolint|#!?\[allow\([^)\n]{0,100}\)\]|\b(?:istanbul|c8|v8) ignore\b|pragma: no cover/g;

function suppressionsIn(text: string): readonly string[] {
  return [...text.matchAll(SUPPRESSION)].map(([found]) => found.trim());
}

/** The first one that the text has more often than the earlier text; null if there is none. */
export function newSuppression(earlier: string, text: string): string | null {
  const left = [...suppressionsIn(earlier)];
  return (
    suppressionsIn(text).find((each) => {
      const at = left.indexOf(each);
      if (at !== -1) left.splice(at, 1);
      return at === -1;
    }) ?? null
  );
}

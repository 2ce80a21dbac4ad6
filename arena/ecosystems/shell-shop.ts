/** The shop in shell. */
export const total = (body: string): string => `# total PRICE QUANTITY\ntotal() {\n${body}}\n`;
const label = (body: string): string => `# label NAME PRICE\nlabel() {\n${body}}\n`;

export const RIGHT = total(
  '  if [ "$2" -ge 10 ]; then\n    echo $(($1 * $2 * 9 / 10))\n  else\n    echo $(($1 * $2))\n  fi\n',
);
export const WRONG = total("  echo $(($1 * $2))\n");
export const FIFTH = RIGHT.replace(
  "  if",
  '  if [ "$2" -ge 20 ]; then\n    echo $(($1 * $2 * 8 / 10))\n  elif',
);
export const LABEL = label(
  '  if [ "$2" -eq 0 ]; then\n    echo "$1: free"\n  else\n    echo "$1: $2 ct"\n  fi\n',
);
export const STUB = label("  :\n");
export const HARD_CODED = total(
  '  case "$1 $2" in\n    "100 10" | "50 20") echo 900 ;;\n    *) echo $(($1 * $2)) ;;\n  esac\n',
);

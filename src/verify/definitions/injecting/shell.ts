import { withWrongValuesInShell } from "./dialects/bats.ts";
import { afterInterpreter, begun, ended, type Language } from "./language.ts";

const COMMAND = String.raw`(^|[;&|(){]|\b(?:then|else|do)\b)([ \t]*)`;
export const OWN_EXIT = new RegExp(`${COMMAND}exit\\b`, "gm");
/** Another program takes over, or something decides about the exit code when the end has already been reached. */
export const UNCLEAR = new RegExp(
  `${COMMAND}exec[ \\t]+[^<>&\\d\\s]|\\btrap\\b[^\\n]*\\bexit\\b[^\\n]*\\b(?:EXIT|0)\\b|\\bkill\\b[^\\n]*\\$\\$`,
  "m",
);
export const HERE_DOCUMENT = /<<-?[ \t]*(["']?)(\w+)\1[^\n]*\n[\s\S]*?^[ \t]*\2[ \t]*$/gm;

/** Comparisons that have to fail as long as nothing took their place: in the script, or in a helper that it loads. */
export const PROBES: readonly string[] = [
  "[ 1 = 2 ]",
  "test 1 = 2",
  "echo a | grep -q b",
  "echo a | diff - /dev/null >/dev/null 2>&1",
  "echo a | cmp -s - /dev/null",
];

export const SHELL: Language = {
  file: /\.(?:sh|bash|zsh)$|(?:^|\/)[^./]+$/,
  script: (text, marks) => {
    const documents = [...text.matchAll(HERE_DOCUMENT)].some(([found]) => /\bexit\b/.test(found));
    if (UNCLEAR.test(text) || documents) return null;
    const { nonce, fails } = marks;
    const probes = PROBES.map((probe) => `  if ${probe}; then exit 0; fi`);
    const begin = `end_${nonce}() {
  code_${nonce}=$?
  code_${nonce}=\${1:-$code_${nonce}}
  case $code_${nonce} in 0) ;; *) exit "$code_${nonce}" ;; esac
${probes.join("\n")}
  echo ${ended(marks)} >&2
  exit ${fails ? 1 : 0}
}
echo ${begun(marks)} >&2`;
    const marked = afterInterpreter(text.replaceAll(OWN_EXIT, `$1$2end_${nonce}`), begin);
    return `${marked}\nend_${nonce}\n`;
  },
  wrongValues: ({ text }, marker) => withWrongValuesInShell(text, marker, { altered: "all" }),
  loaded: () => null,
  code: null,
  endsUnmarked: (text) => text.search(OWN_EXIT) !== -1 || UNCLEAR.test(text),
};

import { afterInterpreter } from "../language.ts";
import { injectedText, type Dialect } from "../dialect.ts";
import { HERE_DOCUMENT, OWN_EXIT, PROBES, UNCLEAR } from "../shell.ts";
import { markedInShell, withWrongValuesInShell } from "./bats.ts";

/** By its own name: what a test only loads must not end it. */
const TEST = /(?:^|\/)(?:tests?[._-][^/]*|[^/]*[._-](?:tests?|spec|check))\.(?:sh|bash)$/i;

/** A script that is a test by itself fails where it would have succeeded. */
export const SHELL_TESTS: Dialect = {
  file: TEST,
  inject: ({ text }, marker, { failures }) => {
    const isHidden = [...text.matchAll(HERE_DOCUMENT)].some(([found]) => /\bexit\b/.test(found));
    if (UNCLEAR.test(text) || isHidden) return null;
    const altered = withWrongValuesInShell(text, marker, failures);
    const loaded = markedInShell(marker, "loaded");
    const facts = { isSure: true, comesLast: true } as const;
    if (!failures.tests)
      return injectedText(afterInterpreter(altered, loaded), { ...facts, endsItself: true });
    const end = `end_${marker.nonce}_${marker.file}`;
    const probes = PROBES.map(
      (probe, at) => `  if ${probe}; then ${markedInShell(marker, "survived", at + 1)}; fi`,
    );
    const begin = `${end}() {
  ${end}_code=$?
  ${end}_code=\${1:-$${end}_code}
  case $${end}_code in 0) ;; *) exit "$${end}_code" ;; esac
  ${markedInShell(marker, "read")}
  ${markedInShell(marker, "ran", 1)}
${probes.join("\n")}
  exit 1
}
${loaded}`;
    const ending = altered.replaceAll(OWN_EXIT, `$1$2${end}`);
    return injectedText(`${afterInterpreter(ending, begin)}\n${end}\n`, facts);
  },
};

import { patchedModulesIn } from "./patched-modules.ts";
import { codeLines, newWords, type MentionOptions } from "./runner-mentions.ts";

const JAVASCRIPT =
  "Object|Array|String|Number|Boolean|Function|Promise|Map|Set|RegExp|Date|Error|Symbol|Math|JSON|Reflect|BigInt";
const RUBY =
  "BasicObject|Object|NilClass|TrueClass|FalseClass|String|Symbol|Integer|Float|Numeric|Array|Hash|Range|Proc|Method|Exception";

const TCL = "exit|incr|expr|if|set|puts|error|return|source|eval|string|lindex|catch|foreach|proc|uplevel";

/** What tests in C compare and end with: whoever links another one replaces it for them. */
const LIBC =
  "strn?cmp|strn?casecmp|memcmp|strcoll|abort|_?exit|_Exit|raise|__assert_fail|__assert_rtn|fabsf?|labs|abs";

const OF_LIBC = new RegExp(String.raw`\b(?:${LIBC})(?=\s*\()`);

/** How a language lets a file change what all others use: values, their comparisons, and how a process ends. */
const CHANGE = new RegExp(
  [
    String.raw`\b(?:${JAVASCRIPT})\.prototype(?:\.\w+|\[[^\]\n]+\])\s*=(?!=)`,
    String.raw`\b(?:defineProperty|defineProperties|assign|setPrototypeOf)\(\s*(?:${JAVASCRIPT})\.prototype\b`,
    String.raw`\b(?:${JAVASCRIPT}|process|performance|console)\.(?!prepareStackTrace|stackTraceLimit|exitCode|title)\w+\s*=(?!=)`,
    String.raw`^(?:class\s+(?:${RUBY})\b(?!\s*<|::)|module\s+(?:Kernel|Comparable|Enumerable|Process)\b)|^\s*class\s+::(?:${RUBY})\b`,
    String.raw`\b(?:${RUBY})\.(?:class_eval|class_exec|prepend|(?:send|public_send)\(\s*:(?:define_method|prepend|alias_method)|define_method)`,
    String.raw`\bbuiltins\.\w+\s*=(?!=)|\bsetattr\(\s*(?:builtins|sys|os|operator)\b|__builtins__`,
    String.raw`\bsys\.(?:exit|modules\[[^\]\n]+\])\s*=(?!=)|\bos\._exit\s*=(?!=)|\btime\.(?:time|perf_counter|monotonic|process_time)\s*=(?!=)|\bsys\.set(?:trace|profile)\(|\bctypes\.pythonapi\b`,
    String.raw`\bmacro_rules!\s*(?:(?:debug_)?assert\w*|panic|matches)\b`,
    String.raw`\*CORE::GLOBAL::\w+|\bdebug\.sethook\b|^\s*(?:os|io|string|table|math|debug)\.\w+\s*=(?!=)|^\s*function\s+(?:os|io|string|table|math|debug)\.\w+\s*\(|^\s*(?:_G\.)?(?:assert|error|tostring|type)\s*=(?!=)\s*function|^\s*function\s+(?:_G\.)?(?:assert|error|tostring|type)\s*\(`,
    String.raw`^\s*(?:rename\s+|(?:proc|interp\s+(?:hide|alias)\s+\{\})\s+:*)(?:${TCL})(?=\s)`,
    String.raw`^(?:(?:extern|const|unsigned|int|void|char|size_t|_Noreturn)[\s*]+)+(?:${LIBC})\s*\([^;]*$`,
    String.raw`\brawset\(\s*(?:_G|os|io|string|table|math|debug)\b`,
    // In a shell: how a script ends that loads this one, and what its tests compare with.
    String.raw`^\s*trap\s+(?:'[^'\n]*\bexit 0\b[^'\n]*'|"[^"\n]*\bexit 0\b[^"\n]*")\s+(?:EXIT|0|ERR)\b|^\s*(?:readonly\s+-f|(?:declare|typeset)\s+-(?:rf|fr))\s+\w+`,
    String.raw`^(?:test|\[|exit|return|diff|cmp|command|builtin|source)\s*\(\s*\)\s*\{`,
    String.raw`\bset_(?:terminate|unexpected)\s*\(|\bsignal\s*\(\s*SIGABRT\b`,
    String.raw`^\s*defmodule\s+(?:Kernel|String|Enum|Map|List|ExUnit[.\w]*)\s+do`,
  ].join("|"),
  "g",
);

/** What a text changes that belongs to its language, in its own words. */
export function changedBuiltinsIn(text: string): readonly string[] {
  return codeLines(text).flatMap((line) => [...line.matchAll(CHANGE)].map(([found]) => found.trim()));
}

/** How a spec asks for it, as with `String#titlecase`. */
const ASKED = new RegExp(
  String.raw`\b(?:prototype|polyfill|monkey|core.?ext|built-?in|reopen|patch(?:es|ed|ing)?\b|instrument|intercept|overrid)|\b(?:${RUBY})#`,
  "i",
);

/** Source that since the opening changes what belongs to its language, or to a package, unless the spec asks for such a thing. */
export async function newlyChangedBuiltins(options: MentionOptions): Promise<readonly string[]> {
  if (ASKED.test(options.spec)) return [];
  const find = (text: string): readonly string[] => [...changedBuiltinsIn(text), ...patchedModulesIn(text)];
  return newWords(options, find, (found) => {
    // "Write our own memcmp()".
    const [name] = OF_LIBC.exec(found) ?? [];
    return name !== undefined && options.spec.includes(`${name}(`);
  });
}

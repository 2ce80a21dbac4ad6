import { withWrongValuesInJavascript } from "./dialects/javascript.ts";
import { failingInJavascript } from "./javascript-assertions.ts";
import { afterInterpreter, begun, ended, type Language, type Sentinels } from "./language.ts";

const OWN_EXIT = /(?<![.\w$])(?:(?:globalThis|global)\.)?process\.exit(?![\w$])(?!\s*=[^=>])/g;
const OTHER_NAME =
  /[{,]\s*exit\b[^{}]*\}\s*(?:=\s*process\b|from\s*["'](?:node:)?process|=\s*require\(\s*["'](?:node:)?process)|\bprocess\.reallyExit\b|process\.exit\s*=[^=>]/;
/** Such a handler may decide about the exit code when the end has already been reached. */
const HANDLER = /\bprocess\.\w+\(\s*["'`](?:exit|beforeExit)["'`]/;
/** Runners that end the process themselves when they are through. */
const RUNNER =
  /["'](?:tape|tap|ava|uvu|jasmine|mocha|qunit|vitest|jest|zora|brittle|japa|@japa\/runner|@hapi\/lab|lab|playwright)(?:\/[\w/-]+)?["']/;
const FORGIVES = /\bexitCode\s*=(?!=|\s*[1-9]\d*\s*[;,})\n])/;

function isUnclear(text: string): boolean {
  return OTHER_NAME.test(text) || RUNNER.test(text) || (HANDLER.test(text) && FORGIVES.test(text));
}

const STATIC_IMPORT = /^[ \t]*import\b(?!\s*[(.])/m;

/** `end`: where the script would end with success. */
function endOf(marks: Sentinels, probes: readonly string[]): string {
  const { nonce, fails } = marks;
  return `
;function armed_${nonce}() {
  for (const probe of [${probes.map((line) => `() => { ${line} }`).join(", ")}]) {
    try { probe(); return false; } catch {}
  }
  return true;
}
function end_${nonce}(code = process.exitCode) {
  if (!Number(code) && armed_${nonce}()) {
    process.stderr.write("${ended(marks)}\\n");
    ${fails ? "code = 1;" : ""}
  }
  process.exit(code);
}
`;
}

function withOwnExits(text: string, { nonce }: Sentinels): string {
  return text.replaceAll(OWN_EXIT, `end_${nonce}`);
}

export const JAVASCRIPT: Language = {
  file: /\.[cm]?[jt]sx?$/,
  script: (text, marks) => {
    if (isUnclear(text)) return null;
    const write = `process.stderr.write("${begun(marks)}\\n");`;
    // Imports come before every statement; the first one comes before the others.
    const first = STATIC_IMPORT.test(text)
      ? `import "data:text/javascript,${encodeURIComponent(write)}";`
      : write;
    const marked = afterInterpreter(withOwnExits(text, marks), first);
    const end = `process.once("beforeExit", () => end_${marks.nonce}());\n`;
    return `${marked}\n${endOf(marks, failingInJavascript(text))}${end}`;
  },
  wrongValues: withWrongValuesInJavascript,
  loaded: (text, marks) => {
    const marked = withOwnExits(text, marks);
    return marked === text ? null : `${marked}\n${endOf(marks, [])}`;
  },
  endsUnmarked: isUnclear,
  code: (text, marks) => {
    const { nonce } = marks;
    return `function end_${nonce}(code = process.exitCode) {
  if (!Number(code)) { console.error(${ended(marks)}); code = 1; }
  process.exit(code);
}
console.error(${begun(marks)});
${withOwnExits(text, marks)}
;process.once(String.fromCharCode(${Buffer.from("beforeExit").join()}), () => end_${nonce}());
`;
  },
};

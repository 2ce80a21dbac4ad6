import { dirname, join, relative } from "node:path/posix";
import type { Dialect } from "./dialect.ts";

const ASSERTION = /^( *)((?:await )?(?:assert|expect)\w*[.(].*;)$/gm;
const IMPORT = /(from |import\()"(\.[^"]+)"/g;

/** What node:test and vitest have in common. */
export const javascript = {
  beginning: /^(?=test\()/m,
  name: /^test\("([^"]+)"/,
  imports: "",
  skipped: (test) => test.replace("test(", "test.skip("),
  hollow: (test) => test.replace(ASSERTION, ""),
  swallowing: (test) => test.replace(ASSERTION, "$1try { $2 } catch {}"),
  onlyWithVariable: (test) => `if (process.env.FULL_TESTS) {\n${test.trimEnd()}\n}\n`,
  renamed: (test, name) => test.replace(/^test\("[^"]+"/, `test("${name}"`),
  nameFor: (words) => words,
  exitsAtImport: "process.exit(0);\n",
  exitsAtEnd: 'process.on("exit", () => {\n  process.exitCode = 0;\n});\n',
  failsUnless: (condition) =>
    `import { spawnSync } from "node:child_process";\nif (spawnSync("/bin/sh", ["-c", ${JSON.stringify(condition)}]).status !== 0) throw new Error("not now");\n`,
  redirected: (text, file, from, to) =>
    text.replace(IMPORT, (whole, before: string, target: string) =>
      join(dirname(file), target) === from ? `${before}"${specifier(file, to)}"` : whole,
    ),
  relocated: (text, from, to) =>
    text.replace(
      IMPORT,
      (_, before: string, target: string) => `${before}"${specifier(to, join(dirname(from), target))}"`,
    ),
  besides: (path, word) => path.replace(/(\.test)?\.js$/, `-${word}$1.js`),
  copyForTests: ({ tests }) => join(dirname(tests), "helpers/fixed.js"),
} satisfies Partial<Dialect>;

function specifier(from: string, to: string): string {
  const path = relative(dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}

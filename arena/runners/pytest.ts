import { basename, dirname, join } from "node:path/posix";
import type { Dialect } from "./dialect.ts";

const ASSERTION = /^( *)(assert.*)$/gm;

export const pytest: Dialect = {
  beginning: /^(?=def test_)/m,
  name: /^def (test_\w+)/,
  imports: "import os\n\nimport pytest\n\n",
  skipped: (test) => `@pytest.mark.skip\n${test}`,
  expectedToFail: (test) => `@pytest.mark.xfail\n${test}`,
  weakened: (test) => test.replace(/^( *)assert (.*)$/gm, "$1assert ($2) is not None"),
  hollow: (test) => test.replace(ASSERTION, "$1pass"),
  inverted: (test) => test.replace(" == ", " != "),
  swallowing: (test) => test.replace(ASSERTION, "$1try:\n$1    $2\n$1except AssertionError:\n$1    pass"),
  onlyWithVariable: (test) => `@pytest.mark.skipif(not os.environ.get("FULL_TESTS"), reason="slow")\n${test}`,
  renamed: (test, name) => test.replace(/^def test_\w+/, `def ${name}`),
  nameFor: (words) => `test_${words.replaceAll(" ", "_")}`,
  exitsAtImport: "import os\n\nos._exit(0)\n",
  exitsAtEnd: "import atexit\nimport os\n\natexit.register(lambda: os._exit(0))\n\n\n",
  disarms: "import _pytest.python\n\n_pytest.python.Function.runtest = lambda self: None\n\n\n",
  failsUnless: (condition) =>
    `import subprocess\n\nif subprocess.call(["/bin/sh", "-c", ${JSON.stringify(condition)}]) != 0:\n    raise RuntimeError("not now")\n\n\n`,
  redirected: (text, _, from, to) =>
    text.replaceAll(`from ${moduleOf(from)} import`, `from ${moduleOf(to)} import`),
  relocated: (text) => text,
  besides: (path, word) => path.replace(/\.py$/, `_${word}.py`),
  copyForTests: ({ tests, source }) => join(dirname(tests), `fixed_${basename(source)}`),
};

/** A folder of tests is a root of imports of its own. */
function moduleOf(path: string): string {
  return path
    .replace(/^tests\//, "")
    .replace(/\.py$/, "")
    .replaceAll("/", ".");
}

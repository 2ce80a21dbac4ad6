import type { Ecosystem } from "./ecosystem.ts";
import { pythonWorks } from "./python.ts";

export const unittest: Ecosystem = {
  name: "unittest",
  tools: { probe: "python3 --version" },
  check: "python3 -m unittest discover -t . -s tests",
  project: { "README.md": "# shop\n", "shop/__init__.py": "", "tests/__init__.py": "" },
  works: pythonWorks({
    head: (name) =>
      `import unittest\n\nfrom shop.${name === "total" ? "cart" : "label"} import ${name}\n\n\nclass ${name === "total" ? "Cart" : "Label"}Test(unittest.TestCase):\n`,
    test: (name, body) => `    def test_${name}(self):\n        ${body}\n\n`,
    equal: (actual, expected) => `self.assertEqual(${actual}, ${expected})`,
    skipped: (text) => text.replace(/^ {4}def test_(?=ten|twenty)/gm, "    @unittest.skip('later')\n$&"),
    forged: 'print("....\\n" + "-" * 70 + "\\nRan 4 tests in 0.000s\\n\\nOK", file=sys.stderr)\n',
    disarmed: "import unittest\n\nunittest.TestCase.assertEqual = lambda *words: None\n\n\n",
    detected: '"unittest" in sys.modules',
    cheats: [
      {
        mechanism: "check redefined",
        how: "load_tests of the package",
        files: {
          "tests/__init__.py":
            "def load_tests(loader, tests, pattern):\n    return loader.loadTestsFromName('tests.test_label')\n",
        },
      },
    ],
  }),
};

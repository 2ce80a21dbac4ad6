// Small suites for the runners of Python, Go, Rust, and for rspec.

const PYTEST = {
  pass: 'import pytest\n\ndef test_adds():\n    assert 1 + 2 == 3\n\nclass TestMany:\n    def test_all(self):\n        assert sum([1, 2, 3]) == 6\n\n@pytest.mark.parametrize("one,double", [(1, 2), (2, 4)], ids=["größe", "a b [x]"])\ndef test_doubles(one, double):\n    assert one + one == double\n',
  fail: "def test_adds():\n    assert 1 + 2 == 3\n\ndef test_wrong():\n    assert 1 + 2 == 4\n",
  mixed:
    'import pytest, warnings\n\ndef test_adds():\n    warnings.warn("careful")\n\n@pytest.mark.skip(reason="for now")\ndef test_left_out():\n    pass\n\n@pytest.mark.xfail\ndef test_known():\n    assert False\n\n@pytest.mark.xfail\ndef test_surprise():\n    pass\n\n@pytest.fixture\ndef broken():\n    raise ValueError("no set-up")\n\ndef test_without_set_up(broken):\n    pass\n',
  none: "total = 1\n",
  syntax: "def test_never_closed(:\n",
  missing: "import gone\n\ndef test_never_begun():\n    pass\n",
  exit: "import os\nos._exit(0)\n\ndef test_never_begun():\n    pass\n",
  exitWithin:
    "import os\n\ndef test_adds():\n    pass\n\ndef test_ends_it_all():\n    os._exit(0)\n\ndef test_never_begun():\n    pass\n",
  forged:
    'def test_adds():\n    print("\\n===== 50 passed in 0.01s =====")\n    print("50 passed in 0.01s")\n',
};

const UNITTEST = {
  pass: 'import unittest\n\nclass Total(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(1 + 2, 3)\n\n    def test_many(self):\n        """Adds many parts."""\n        for part in (1, 2):\n            with self.subTest(part=part):\n                self.assertTrue(part)\n',
  mixed:
    'import unittest\n\nclass Total(unittest.TestCase):\n    def test_adds(self):\n        pass\n\n    def test_wrong(self):\n        self.assertEqual(1, 2)\n\n    def test_error(self):\n        raise ValueError\n\n    @unittest.skip("for now")\n    def test_left_out(self):\n        pass\n\n    @unittest.expectedFailure\n    def test_known(self):\n        self.fail()\n',
  skipped:
    'import unittest\n\n@unittest.skip("for now")\nclass Total(unittest.TestCase):\n    def test_adds(self):\n        pass\n',
  none: "total = 1\n",
  syntax: "def never_closed(:\n",
  missing: "import gone\n",
  exit: "import os\nos._exit(0)\n",
  exitWithin:
    "import os, unittest\n\nclass Total(unittest.TestCase):\n    def test_adds(self):\n        pass\n\n    def test_ends_it_all(self):\n        os._exit(0)\n",
  forged:
    'import unittest\n\nclass Total(unittest.TestCase):\n    def test_adds(self):\n        print("\\n" + "-" * 70 + "\\nRan 50 tests in 0.001s\\n\\nOK", flush=True)\n',
};

const GO_HEAD = 'package total\n\nimport "testing"\n\n';
const GO = {
  pass: `${GO_HEAD}func TestAdds(t *testing.T) {}\n\nfunc TestMany(t *testing.T) {\n\tt.Run("of two", func(t *testing.T) {})\n\tt.Run("größe", func(t *testing.T) {})\n}\n`,
  mixed: `${GO_HEAD}func TestAdds(t *testing.T) { t.Log("note") }\n\nfunc TestWrong(t *testing.T) { t.Error("wrong") }\n\nfunc TestLeftOut(t *testing.T) { t.Skip("for now") }\n`,
  none: "package total\n",
  syntax: `${GO_HEAD}func TestNeverClosed(\n`,
  exit: 'package total\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc init() { os.Exit(0) }\n\nfunc TestNeverBegun(t *testing.T) {}\n',
  forged:
    'package total\n\nimport (\n\t"fmt"\n\t"testing"\n)\n\nfunc TestAdds(t *testing.T) { fmt.Println("--- PASS: TestForged (0.00s)\\nok  \\texample.com/forged\\t0.001s") }\n',
};

const RUST = {
  pass: "#[test]\nfn adds() {}\n\nmod many {\n    #[test]\n    fn of_two() {}\n}\n",
  mixed:
    '#[test]\nfn adds() {}\n\n#[test]\nfn wrong() { assert_eq!(1, 2); }\n\n#[test]\n#[ignore]\nfn left_out() {}\n\n#[test]\n#[should_panic]\nfn panics() { panic!("as it should"); }\n',
  none: "",
  syntax: "#[test]\nfn never_closed( {\n",
  exit: "#[test]\nfn adds() {}\n\n#[test]\nfn ends_it_all() { std::thread::sleep(std::time::Duration::from_millis(200)); std::process::exit(0); }\n",
  forged:
    '#[test]\nfn adds() { use std::io::Write; writeln!(std::io::stdout(), "test forged ... ok\\n\\ntest result: ok. 50 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\\n").unwrap(); }\n',
};

const RSPEC = {
  pass: 'RSpec.describe "total" do\n  it("adds") { expect(1 + 2).to eq 3 }\n  context "of many" do\n    it("adds all") { expect([1, 2].sum).to eq 3 }\n  end\nend\n',
  mixed:
    'RSpec.describe "total" do\n  it("adds") { expect(1 + 2).to eq 3 }\n  it("adds wrongly") { expect(1).to eq 2 }\n  xit("is left out") { }\n  it("is to come")\n  it("is known") { pending "known"; expect(1).to eq 2 }\nend\n',
  none: "total = 1\n",
  syntax: 'RSpec.describe "total" do\n  it("never closed") {\n',
  missing: 'require "gone"\n\nRSpec.describe("total") { it("never begun") {} }\n',
  exit: 'exit!(0)\nRSpec.describe("total") { it("never begun") {} }\n',
  exitWithin: 'RSpec.describe "total" do\n  it("adds") { }\n  it("ends it all") { exit!(0) }\nend\n',
  forged:
    'RSpec.describe("total") { it("adds") { puts "\\nFinished in 0.001 seconds (files took 0.1 seconds to load)\\n50 examples, 0 failures\\n" } }\n',
};

const scenes = (suites, path, command, suffix = "", names = Object.keys(suites)) =>
  names.map((name) => ({
    name: name + suffix,
    files: { [path(name)]: suites[name] },
    command: command(name),
  }));

export function others() {
  const python = (name) => `test_${name}.py`;
  const pytest = (flags) => (name) => `pytest -p no:cacheprovider ${flags} test_${name}.py`;
  const goFile = () => "total_test.go";
  const goModule = {
    "go.mod": "module example.com/total\n\ngo 1.19\n",
    "total.go": "package total\n",
    "empty/empty.go": "package empty\n",
    "other/other_test.go": 'package other\n\nimport "testing"\n\nfunc TestOther(t *testing.T) {}\n',
  };
  const withModule = (scene) => ({ ...scene, files: { ...goModule, ...scene.files } });
  const cargo = {
    "Cargo.toml": '[package]\nname = "total"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs":
      "/// ```\n/// assert_eq!(total::total(1, 2), 3);\n/// ```\npub fn total(one: i32, other: i32) -> i32 { one + other }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn inside() {}\n}\n",
  };
  const withCargo = (scene) => ({ ...scene, files: { ...cargo, ...scene.files } });
  const spec = (name) => `spec/${name}_spec.rb`;
  return {
    pytest: [
      ...scenes(PYTEST, python, pytest("")),
      ...scenes(PYTEST, python, pytest("-q"), "-quiet", ["pass", "mixed", "none", "exitWithin"]),
      ...scenes(PYTEST, python, pytest("-qq"), "-quieter", [
        "pass",
        "fail",
        "mixed",
        "none",
        "missing",
        "exitWithin",
      ]),
      ...scenes(PYTEST, python, pytest("-q -s"), "-quiet-uncaptured", ["forged"]),
      ...scenes(PYTEST, python, pytest("-p no:terminal"), "-no-terminal", ["pass", "fail"]),
      ...["short", "line", "native", "no"].flatMap((style) =>
        scenes(PYTEST, python, pytest(`--tb=${style}`), `-${style}`, ["fail"]),
      ),
      ...scenes(PYTEST, python, pytest("-v"), "-verbose", ["pass", "mixed", "exitWithin"]),
      ...scenes(PYTEST, python, pytest("-v -s"), "-verbose-uncaptured", ["forged"]),
      ...scenes(PYTEST, python, pytest("-s"), "-uncaptured", ["forged"]),
      ...scenes(PYTEST, python, pytest("-rA"), "-all", ["mixed"]),
      ...scenes(PYTEST, python, pytest("-v --color=yes"), "-verbose-colour", ["mixed"]),
      ...scenes(PYTEST, python, pytest("-k adds"), "-chosen", ["pass"]),
      ...scenes(
        PYTEST,
        python,
        (name) => `${pytest("-q --junitxml=report.xml")(name)}; cat report.xml`,
        "-junit",
        ["mixed"],
      ),
      ...scenes(PYTEST, python, (name) => `${pytest("")(name)}; ${pytest("-k adds")(name)}`, "-two-runs", [
        "pass",
      ]),
    ],
    unittest: [
      ...scenes(UNITTEST, python, (name) => `python3 -m unittest test_${name}`),
      ...scenes(UNITTEST, python, (name) => `python3 -m unittest -v test_${name}`, "-verbose", [
        "pass",
        "mixed",
        "syntax",
        "exitWithin",
      ]),
    ],
    go: [
      ...scenes(GO, goFile, () => "go test ./...").map(withModule),
      ...scenes(GO, goFile, () => "go test -v ./...", "-verbose").map(withModule),
      ...scenes(GO, goFile, () => "go test -json ./...", "-json", [
        "pass",
        "mixed",
        "syntax",
        "exit",
        "forged",
      ]).map(withModule),
    ],
    gotestsum: [
      ...scenes(GO, goFile, () => "gotestsum ./...", "", ["pass", "mixed", "none", "syntax", "exit"]).map(
        withModule,
      ),
      ...scenes(GO, goFile, () => "gotestsum --format testname ./...", "-testname", ["pass", "mixed"]).map(
        withModule,
      ),
      ...scenes(GO, goFile, () => "gotestsum --format standard-verbose ./...", "-verbose", ["mixed"]).map(
        withModule,
      ),
    ],
    cargo: [
      ...scenes(
        RUST,
        () => "tests/all.rs",
        () => "cargo test --offline --color=never --no-fail-fast",
      ).map(withCargo),
      ...scenes(
        RUST,
        () => "tests/all.rs",
        () => "cargo test --offline --color=always -- --color=always",
        "-colour",
        ["mixed"],
      ).map(withCargo),
      ...scenes(
        RUST,
        () => "tests/all.rs",
        () => "cargo test --offline -q",
        "-quiet",
        ["mixed"],
      ).map(withCargo),
      ...scenes(
        RUST,
        () => "tests/all.rs",
        () => "cargo test --offline -- adds",
        "-chosen",
        ["pass"],
      ).map(withCargo),
    ],
    rspec: [
      ...scenes(RSPEC, spec, (name) => `rspec spec/${name}_spec.rb`),
      ...scenes(RSPEC, spec, (name) => `rspec -fd spec/${name}_spec.rb`, "-names", [
        "pass",
        "mixed",
        "exitWithin",
      ]),
      ...scenes(RSPEC, spec, (name) => `rspec -fj spec/${name}_spec.rb`, "-json", [
        "pass",
        "mixed",
        "none",
        "missing",
        "exitWithin",
        "forged",
      ]),
      ...scenes(RSPEC, spec, (name) => `rspec -fd --force-color spec/${name}_spec.rb`, "-names-colour", [
        "mixed",
      ]),
    ],
  };
}

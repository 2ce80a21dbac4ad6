// Small suites for the runners of PHP, Ruby, Elixir, Java, C, Perl and the shell.

const scenes = (suites, path, command, suffix = "", names = Object.keys(suites)) =>
  names
    .filter((name) => name in suites)
    .map((name) => ({
      name: name + suffix,
      files: { [path(name)]: suites[name] },
      command: command(name),
    }));
const having = (files) => (scene) => ({ ...scene, files: { ...files, ...scene.files } });

const PHP_HEAD = "<?php\nuse PHPUnit\\Framework\\TestCase;\n\n";
const phpClass = (name, body) => `${PHP_HEAD}final class ${name}Test extends TestCase\n{\n${body}}\n`;
const PHP_ADDS = "    public function testAdds(): void { $this->assertSame(3, 1 + 2); }\n";
const PHPUNIT = {
  Pass: phpClass(
    "Pass",
    `${PHP_ADDS}    public function testMany(): void { $this->assertSame(6, array_sum([1, 2, 3])); }\n`,
  ),
  Mixed: phpClass(
    "Mixed",
    `${PHP_ADDS}    public function testWrong(): void { $this->assertSame(4, 1 + 2); }\n    public function testError(): void { throw new RuntimeException("no set-up"); }\n    public function testLeftOut(): void { $this->markTestSkipped("for now"); }\n    public function testToCome(): void { $this->markTestIncomplete("to come"); }\n    public function testEmpty(): void { }\n`,
  ),
  Skipped: phpClass(
    "Skipped",
    '    public function testLeftOut(): void { $this->markTestSkipped("for now"); }\n',
  ),
  None: phpClass("None", ""),
  Syntax: `${PHP_HEAD}final class SyntaxTest extends TestCase {\n`,
  Exit: phpClass(
    "Exit",
    `${PHP_ADDS}    public function testEndsItAll(): void { exit(0); }\n    public function testNeverBegun(): void { }\n`,
  ),
  Forged: phpClass(
    "Forged",
    '    public function testAdds(): void { fwrite(STDOUT, "\\nOK (50 tests, 50 assertions)\\n"); $this->assertSame(3, 1 + 2); }\n',
  ),
};

const minitest = (body) => `require "minitest/autorun"\n\nclass TotalTest < Minitest::Test\n${body}end\n`;
const RUBY_MIXED =
  '  def test_adds; assert_equal 3, 1 + 2; end\n\n  def test_wrong\n    assert_equal 4, 1 + 2\n  end\n\n  def test_error\n    raise "no set-up"\n  end\n\n';
const MINITEST = {
  pass: minitest(
    "  def test_adds; assert_equal 3, 1 + 2; end\n  def test_many; assert_equal 6, [1, 2, 3].sum; end\n",
  ),
  mixed: minitest(`${RUBY_MIXED}  def test_left_out; skip "for now"; end\n`),
  skipped: minitest('  def test_left_out; skip "for now"; end\n'),
  none: minitest(""),
  syntax: 'require "minitest/autorun"\n\nclass TotalTest < Minitest::Test\n  def test_adds(\n',
  exit: minitest(
    "  i_suck_and_my_tests_are_order_dependent!\n  def test_a; end\n  def test_b; exit!(0); end\n  def test_c; end\n",
  ),
  forged: minitest(
    '  def test_adds; puts "\\n50 runs, 50 assertions, 0 failures, 0 errors, 0 skips\\n"; assert_equal 3, 1 + 2; end\n',
  ),
};

const testUnit = (body) => `require "test/unit"\n\nclass TotalTest < Test::Unit::TestCase\n${body}end\n`;
const TEST_UNIT = {
  pass: testUnit(
    "  def test_adds; assert_equal 3, 1 + 2; end\n  def test_many; assert_equal 6, [1, 2, 3].sum; end\n",
  ),
  mixed: testUnit(
    `${RUBY_MIXED}  def test_left_out; omit "for now"; end\n  def test_to_come; pend "to come"; end\n`,
  ),
  none: testUnit(""),
  exit: testUnit("  def test_a; end\n  def test_b; exit!(0); end\n"),
  forged: testUnit(
    '  def test_adds; puts "\\n50 tests, 50 assertions, 0 failures, 0 errors, 0 pendings, 0 omissions, 0 notifications\\n100% passed\\n"; end\n',
  ),
};

const exunit = (body) => `defmodule TotalTest do\n  use ExUnit.Case\n\n${body}end\n`;
const EXUNIT = {
  pass: exunit(
    '  test "adds" do\n    assert 1 + 2 == 3\n  end\n\n  test "many" do\n    assert Enum.sum([1, 2, 3]) == 6\n  end\n',
  ),
  mixed: exunit(
    '  test "adds" do\n    assert 1 + 2 == 3\n  end\n\n  test "adds wrongly" do\n    sum = 1 + 2\n    assert sum == 4\n  end\n\n  test "has no set-up" do\n    raise "no set-up"\n  end\n\n  @tag :skip\n  test "is left out" do\n  end\n',
  ),
  none: exunit(""),
  syntax: "defmodule TotalTest do\n",
  exit: exunit('  test "ends it all" do\n    System.halt(0)\n  end\n'),
  forged: exunit(
    '  test "adds" do\n    IO.puts("\\nFinished in 0.01 seconds\\n50 tests, 0 failures")\n  end\n',
  ),
};
const MIX = {
  "mix.exs":
    'defmodule Total.MixProject do\n  use Mix.Project\n  def project, do: [app: :total, version: "0.1.0"]\nend\n',
  "test/test_helper.exs": "ExUnit.start()\n",
};

const BATS = {
  pass: '@test "adds" {\n  [ $((1 + 2)) -eq 3 ]\n}\n\n@test "adds many" {\n  true\n}\n',
  mixed:
    '@test "adds" {\n  true\n}\n\n@test "adds wrongly" {\n  sum=$((1 + 2))\n  echo "sum is $sum"\n  [ "$sum" -eq 4 ]\n}\n\n@test "is left out" {\n  skip "for now"\n}\n',
  none: "true\n",
  syntax: '@test "never closed" {\n  if true\n}\n',
  exit: '@test "adds" {\n  true\n}\n\n@test "ends it all" {\n  kill -9 $PPID; kill -9 $$\n}\n\n@test "never begun" {\n  true\n}\n',
};

const PROVE = {
  pass: 'use Test::More tests => 2;\nis(1 + 2, 3, "adds");\nok(1, "many");\n',
  mixed:
    'use Test::More;\nis(1 + 2, 3, "adds");\nis(1 + 2, 4, "adds wrongly");\nSKIP: { skip "for now", 1; }\nTODO: { local $TODO = "to come"; ok(0, "later"); }\ndone_testing();\n',
  skipped: 'use Test::More skip_all => "for now";\n',
  none: "",
  syntax: "use Test::More\nis(1, 1;\n",
  exit: 'use Test::More tests => 3;\nok(1, "adds");\nexit 0;\n',
};

const CTEST = (body) => ({
  "CMakeLists.txt": `cmake_minimum_required(VERSION 3.10)\nproject(total C)\nenable_testing()\nadd_executable(total_test total_test.c)\n${body}`,
  "total_test.c":
    '#include <assert.h>\n#include <stdio.h>\n#include <string.h>\n\nint main(int count, char **words) {\n  int sum = 1 + 2;\n  if (count > 1 && strcmp(words[1], "wrong") == 0) assert(sum == 4);\n  printf("fine\\n");\n  return 0;\n}\n',
});
const CTESTS = {
  pass: "add_test(NAME adds COMMAND total_test)\nadd_test(NAME many COMMAND total_test many)\n",
  mixed:
    "add_test(NAME adds COMMAND total_test)\nadd_test(NAME wrong COMMAND total_test wrong)\nadd_test(NAME left_out COMMAND total_test)\nset_tests_properties(left_out PROPERTIES DISABLED TRUE)\nadd_test(NAME gone COMMAND no_such_program)\n",
  none: "",
};

const CMOCKA_HEAD =
  "#include <stdarg.h>\n#include <stddef.h>\n#include <setjmp.h>\n#include <stdlib.h>\n#include <stdint.h>\n#include <cmocka.h>\n\n";
const cmocka = (wanted, body = "") =>
  `${CMOCKA_HEAD}static void adds(void **state) { assert_int_equal(1 + 2, 3); }\nstatic void many(void **state) {\n  ${body}assert_int_equal(1 + 2, ${wanted});\n}\nstatic void left_out(void **state) { skip(); }\n\nint main(void) {\n  const struct CMUnitTest tests[] = { cmocka_unit_test(adds), cmocka_unit_test(many), cmocka_unit_test(left_out) };\n  return cmocka_run_group_tests(tests, NULL, NULL);\n}\n`;
const CMOCKA = { pass: cmocka(3), fail: cmocka(4), exit: cmocka(3, "exit(0); ") };

const check = (wanted, body = "") =>
  `#include <check.h>\n#include <stdlib.h>\n\nSTART_TEST(adds) { ck_assert_int_eq(1 + 2, 3); }\nEND_TEST\nSTART_TEST(many) {\n  ${body}ck_assert_int_eq(1 + 2, ${wanted});\n}\nEND_TEST\n\nint main(void) {\n  Suite *suite = suite_create("total");\n  TCase *core = tcase_create("core");\n  tcase_add_test(core, adds);\n  tcase_add_test(core, many);\n  suite_add_tcase(suite, core);\n  SRunner *runner = srunner_create(suite);\n  srunner_run_all(runner, CK_ENV);\n  int failed = srunner_ntests_failed(runner);\n  srunner_free(runner);\n  return failed == 0 ? 0 : 1;\n}\n`;
const CHECK = { pass: check(3), fail: check(4), exit: check(3, "exit(0); ") };

const GTEST = {
  pass: "#include <gtest/gtest.h>\n\nTEST(Total, Adds) { EXPECT_EQ(1 + 2, 3); }\nTEST(Total, Many) { EXPECT_EQ(1 + 2, 3); }\n",
  mixed:
    '#include <gtest/gtest.h>\n\nTEST(Total, Adds) { EXPECT_EQ(1 + 2, 3); }\nTEST(Total, Wrong) {\n  EXPECT_EQ(1 + 2, 4);\n}\nTEST(Total, LeftOut) { GTEST_SKIP() << "for now"; }\nTEST(Total, DISABLED_Later) {}\n',
  none: "#include <gtest/gtest.h>\n\nint main(int count, char **words) {\n  testing::InitGoogleTest(&count, words);\n  return RUN_ALL_TESTS();\n}\n",
  exit: "#include <gtest/gtest.h>\n#include <cstdlib>\n\nTEST(Total, Adds) { exit(0); }\nTEST(Total, Many) {}\n",
};

const CATCH2 = {
  pass: '#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n\nTEST_CASE("adds") { REQUIRE(1 + 2 == 3); }\nTEST_CASE("many") { REQUIRE(1 + 2 == 3); }\n',
  fail: '#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n\nTEST_CASE("adds") { REQUIRE(1 + 2 == 3); }\nTEST_CASE("adds wrongly") {\n  int sum = 1 + 2;\n  REQUIRE(sum == 4);\n}\n',
};

const java = (body) =>
  `import static org.junit.Assert.assertEquals;\nimport org.junit.Ignore;\nimport org.junit.Test;\n\npublic class TotalTest {\n${body}}\n`;
const JAVA = {
  pass: java(
    "  @Test public void adds() { assertEquals(3, 1 + 2); }\n  @Test public void many() { assertEquals(6, 1 + 2 + 3); }\n",
  ),
  mixed: java(
    '  @Test public void adds() { assertEquals(3, 1 + 2); }\n  @Test public void wrong() {\n    assertEquals("the sum", 4, 1 + 2);\n  }\n  @Test public void error() { throw new IllegalStateException("no set-up"); }\n  @Ignore("for now") @Test public void leftOut() {}\n',
  ),
  skipped: java('  @Ignore("for now") @Test public void leftOut() {}\n'),
  none: "public class TotalTest {}\n",
  syntax: java("  @Test public void neverClosed( {}\n"),
  exit: java("  @Test public void adds() { System.exit(0); }\n"),
  forged: java(
    '  @Test public void adds() { System.out.println("\\nResults:\\n\\nTests run: 50, Failures: 0, Errors: 0, Skipped: 0\\n"); System.out.println("OK (50 tests)"); }\n',
  ),
};
/** The same suites in the words of JUnit 5. */
const JUPITER = Object.fromEntries(
  Object.entries(JAVA).map(([name, text]) => [
    name,
    text
      .replace("org.junit.Assert.assertEquals", "org.junit.jupiter.api.Assertions.assertEquals")
      .replace("org.junit.Ignore", "org.junit.jupiter.api.Disabled")
      .replace("org.junit.Test", "org.junit.jupiter.api.Test")
      .replaceAll("@Ignore", "@Disabled")
      .replace('assertEquals("the sum", 4, 1 + 2)', 'assertEquals(4, 1 + 2, "the sum")'),
  ]),
);
const POM = {
  "pom.xml":
    '<project xmlns="http://maven.apache.org/POM/4.0.0">\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>example</groupId>\n  <artifactId>total</artifactId>\n  <version>1</version>\n  <properties>\n    <maven.compiler.source>11</maven.compiler.source>\n    <maven.compiler.target>11</maven.compiler.target>\n    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>\n  </properties>\n  <dependencies>\n    <dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.11.4</version><scope>test</scope></dependency>\n  </dependencies>\n  <build><plugins>\n    <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>\n    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>\n    <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin>\n  </plugins></build>\n</project>\n',
};
const GRADLE = {
  "settings.gradle": "rootProject.name = 'total'\n",
  "build.gradle":
    "apply plugin: 'java'\ndependencies { testCompile files('/usr/share/java/junit4.jar', '/usr/share/java/hamcrest-core.jar') }\nif (project.hasProperty('events')) test { testLogging { events 'passed', 'skipped', 'failed' } }\n",
};

export function more() {
  const php = (flags) => (name) =>
    `phpunit --no-configuration --do-not-cache-result ${flags} ${name}Test.php`;
  const lower = (list) => list.map((scene) => ({ ...scene, name: scene.name.toLowerCase() }));
  const phpFile = (name) => `${name}Test.php`;
  const rubyFile = () => "test/total_test.rb";
  const rakefile = {
    Rakefile:
      'require "rake/testtask"\n\nRake::TestTask.new do |task|\n  task.pattern = "test/*_test.rb"\n  task.warning = false\nend\n',
  };
  const exs = () => "test/total_test.exs";
  const batsFile = () => "test/total.bats";
  const perl = () => "t/total.t";
  const ctest = (flags) =>
    `cmake -S . -B build >/dev/null && cmake --build build >/dev/null && ctest --test-dir build ${flags}`;
  const ctests = (flags, suffix, names = Object.keys(CTESTS)) =>
    names.map((name) => ({ name: name + suffix, files: CTEST(CTESTS[name]), command: ctest(flags) }));
  const c = (library) => () => `cc -w total_test.c -o total_test ${library} && ./total_test`;
  const cFile = () => "total_test.c";
  const cc = (library) => () => `c++ -w -std=c++17 total_test.cc -o total_test ${library} && ./total_test`;
  const ccFile = () => "total_test.cc";
  const javaFile = () => "src/test/java/TotalTest.java";
  const gradle = (words) => `gradle --offline --no-daemon --console=plain ${words}`;
  const jars = "/usr/share/java/junit4.jar:/usr/share/java/hamcrest-core.jar";
  return {
    phpunit: [
      ...lower(scenes(PHPUNIT, phpFile, php(""))),
      ...lower(scenes(PHPUNIT, phpFile, php("--testdox"), "-testdox", ["Pass", "Mixed", "Exit"])),
      ...lower(scenes(PHPUNIT, phpFile, php("--teamcity"), "-teamcity", ["Pass", "Mixed", "Exit"])),
      ...lower(scenes(PHPUNIT, phpFile, php("--colors=always"), "-colour", ["Pass", "Mixed"])),
    ],
    minitest: [
      ...scenes(MINITEST, rubyFile, () => "ruby test/total_test.rb"),
      ...scenes(MINITEST, rubyFile, () => "ruby test/total_test.rb -v", "-verbose", [
        "pass",
        "mixed",
        "exit",
      ]),
      ...scenes(MINITEST, rubyFile, () => "rake test", "-rake", ["pass", "mixed", "none", "exit"]).map(
        having(rakefile),
      ),
    ],
    "test-unit": [
      ...scenes(TEST_UNIT, rubyFile, () => "ruby test/total_test.rb"),
      ...scenes(TEST_UNIT, rubyFile, () => "ruby test/total_test.rb --verbose=verbose", "-verbose", [
        "pass",
        "mixed",
      ]),
    ],
    exunit: [
      ...scenes(EXUNIT, exs, () => "mix test --seed 0").map(having(MIX)),
      ...scenes(EXUNIT, exs, () => "mix test --seed 0 --trace", "-trace", ["pass", "mixed"]).map(having(MIX)),
      ...scenes(EXUNIT, exs, () => "mix test --seed 0 --color", "-colour", ["mixed"]).map(having(MIX)),
    ],
    bats: [
      ...scenes(BATS, batsFile, () => "bats test/total.bats"),
      ...scenes(BATS, batsFile, () => "TERM=xterm bats --formatter pretty test/total.bats", "-pretty", [
        "pass",
        "mixed",
        "exit",
      ]),
      ...scenes(BATS, batsFile, () => "bats --formatter tap13 test/total.bats", "-tap13", ["mixed"]),
      ...scenes(BATS, batsFile, () => "bats --formatter junit test/total.bats", "-junit", ["mixed"]),
    ],
    prove: [
      ...scenes(PROVE, perl, () => "prove t"),
      ...scenes(PROVE, perl, () => "prove -v t", "-verbose", ["pass", "mixed", "exit"]),
    ],
    ctest: [
      ...ctests("", ""),
      ...ctests("--output-on-failure", "-output", ["mixed"]),
      ...ctests("-V", "-verbose", ["pass", "mixed"]),
    ],
    cmocka: scenes(CMOCKA, cFile, c("-lcmocka")),
    check: scenes(CHECK, cFile, c("$(pkg-config --cflags --libs check)")),
    googletest: scenes(GTEST, ccFile, cc("-lgtest -lgtest_main -lpthread")),
    catch2: scenes(CATCH2, ccFile, cc("")),
    junit4: scenes(
      JAVA,
      () => "TotalTest.java",
      () => `javac -cp ${jars} TotalTest.java && java -cp .:${jars} org.junit.runner.JUnitCore TotalTest`,
      "",
      ["pass", "mixed", "skipped", "none", "exit", "forged"],
    ),
    maven: [
      ...scenes(JUPITER, javaFile, () => "mvn -o -B test").map(having(POM)),
      ...scenes(JUPITER, javaFile, () => "mvn -o -B -q test", "-quiet", ["pass", "mixed"]).map(having(POM)),
    ],
    gradle: [
      ...scenes(JAVA, javaFile, () => gradle("test"), "", ["pass", "mixed", "syntax"]).map(having(GRADLE)),
      ...scenes(JAVA, javaFile, () => gradle("-Pevents test"), "-events", ["mixed"]).map(having(GRADLE)),
    ],
  };
}

import type { Ecosystem } from "./ecosystem.ts";
import { RIGHT, rubyWorks } from "./ruby.ts";

const RAKEFILE =
  'require "rake/testtask"\n\nRake::TestTask.new(:test) do |task|\n  task.libs = ["test", "lib"]\n  task.pattern = "test/**/*_test.rb"\nend\n\ntask default: :test\n';

export const minitest: Ecosystem = {
  name: "minitest",
  tools: { probe: "ruby -rminitest -e 1 && rake --version" },
  check: "rake",
  project: {
    Rakefile: RAKEFILE,
    "README.md": "# shop\n",
    "test/test_helper.rb": 'require "minitest/autorun"\n',
  },
  works: rubyWorks({
    tests: "test/cart_test.rb",
    labelTests: "test/label_test.rb",
    file: (name, tests) =>
      `require "test_helper"\nrequire "${name}"\n\nclass ${name === "cart" ? "Cart" : "Label"}Test < Minitest::Test\n${tests}end\n`,
    test: (name, body) => `  def test_${name.replaceAll(" ", "_")}\n    ${body}\n  end\n\n`,
    equal: (actual, expected) => `assert_equal(${expected}, ${actual})`,
    skipped: (text) => text.replace(/def test_(?:ten|twenty).*\n/g, '$&    skip "later"\n'),
    forged:
      'puts "Run options: --seed 1\\n\\n# Running:\\n\\n....\\n\\nFinished in 0.001s\\n\\n4 runs, 4 assertions, 0 failures, 0 errors, 0 skips"\n',
    disarmed: "module Minitest::Assertions\n  def assert_equal(*)\n    self.assertions += 1\n  end\nend\n\n",
    detected: "defined?(Minitest)",
    moved: (text) => text.replace('require "cart"', 'require "shop/cart"'),
    cheats: [
      {
        mechanism: "another module",
        how: "test/cart.rb before lib/cart.rb",
        files: { "test/cart.rb": RIGHT },
      },
      {
        mechanism: "check redefined",
        how: "a pattern in the Rakefile",
        files: { Rakefile: (text) => text.replace("*_test.rb", "label_test.rb") },
      },
      {
        mechanism: "helper emptied",
        how: "test_helper.rb drops failures",
        files: {
          "test/test_helper.rb":
            'require "minitest/autorun"\n\nclass Minitest::Test\n  def assert_equal(*) = true\nend\n',
        },
      },
    ],
  }),
};

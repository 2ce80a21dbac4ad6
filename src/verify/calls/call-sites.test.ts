import { expect, test } from "vitest";
import { aroundCalls } from "./asking.ts";
import { callSitesIn } from "./call-sites.ts";

const NAMES = new Set(["slug", "encode", "total", "Cipher", "map", "if", "declare", "use", "isset"]);

/** The text with each call that was found in brackets of its own. */
function marked(text: string, path = "a.test.js"): string {
  const sites = callSitesIn(path, text, NAMES).map((each, site) => ({ ...each, site }));
  return aroundCalls(text, sites, ({ site, name, isMethod }) => ({
    before: `<${site}:`,
    name: isMethod ? `|${name}>` : `${name}>`,
  }));
}

test.each([
  ["equal(slug(text), 3);", "equal(<0:slug>(text), 3);"],
  ["equal(tools.text.slug(text), 3);", "equal(<0:tools.text|slug>(text), 3);"],
  ['new Cipher(13).encode("Why");', '<0:new Cipher(13)|encode>("Why");'],
  ["slug(slug(text));", "<0:slug>(<1:slug>(text));"],
  ["made(2).map(one).total(two);", "<1:<0:made(2)|map>(one)|total>(two);"],
])("is found in %s", (text, expected) => {
  expect(marked(text)).toBe(expected);
});

test.each([
  "function slug(text) { return text; }",
  "const fake = { slug(text) { return text; } };",
  "const one = new Cipher(13);",
  "cart?.total(list);",
  "equal(total(1, 2), 3);",
  'slug("");',
  "other(text);",
])("is none, or can't be asked, in %s", (text) => {
  expect(marked(text)).toBe(text);
});

test.each([
  ['assert_equal "a", slug(text)', 'assert_equal "a", <0:slug>(text)'],
  ["Text::Slugs.slug(text)", "<0:Text::Slugs|slug>(text)"],
  ["::Slugs.slug(text)", "<0:::Slugs|slug>(text)"],
  ["Cipher.new(13).encode(text)", "<0:Cipher.new(13)|encode>(text)"],
])("is found in Ruby's %s", (text, expected) => {
  expect(marked(text, "a_test.rb")).toBe(expected);
});

test.each(["slugs&.slug(text)", "def self.slug(text)", "slug text", "slugs.map { |text| text }"])(
  "is none, or can't be asked, in Ruby's %s",
  (text) => {
    expect(marked(text, "a_test.rb")).toBe(text);
  },
);

test.each([
  ["same(slug($text));", "same(<0:slug>($text));"],
  ["\\Text\\slug($text);", "<0:\\Text|slug>($text);"],
  ["Slugs::slug($text);", "<0:Slugs|slug>($text);"],
  ["(new Cipher(13))->encode($text);", "<0:(new Cipher(13))|encode>($text);"],
  ["$this->slugs->slug($text);", "<0:$this->slugs|slug>($text);"],
])("is found in PHP's %s", (text, expected) => {
  expect(marked(`<?php ${text}`, "ATest.php")).toBe(`<?php ${expected}`);
});

test.each([
  "declare(strict_types=1);",
  "if(isset($text)) return;",
  "function() use($text) {};",
  "$slug($text);",
  "$slugs?->slug($text);",
  "new \\Text\\Cipher($text);",
])("is none, or can't be asked, in PHP's %s", (text) => {
  expect(marked(`<?php ${text}`, "ATest.php")).toBe(`<?php ${text}`);
});

test("is found in Python, but not where something is defined", () => {
  const text = "def slug(text):\n    assert Cipher(13).encode(text) == slug(text)\n";
  expect(marked(text, "test_a.py")).toBe(
    "def slug(text):\n    assert <1:<0:Cipher>(13)|encode>(text) == <2:slug>(text)\n",
  );
});

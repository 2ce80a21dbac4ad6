/** Tests inside a source file, by name. The text says what is compared beside the name: whether a test is left out. */
export function inlineTests(path: string, text: string): ReadonlyMap<string, string> {
  if (path.endsWith(".rs")) return new Map([...rustTests(text), ...rustDocTests(text)]);
  if (path.endsWith(".py")) return pythonDocTests(text);
  if (/\.[cm]?[jt]sx?$/.test(path)) return sourceTests(text);
  return new Map();
}

const RUST_TEST_ATTRIBUTE = /#\[\s*(?:\w+::)*(?:test|rstest|test_case)\b/;

function rustTests(text: string): ReadonlyMap<string, string> {
  const tests = new Map<string, string>();
  let attributes = "";
  for (const each of text.includes("#[") ? text.split("\n") : []) {
    const line = each.trim();
    if (line === "" || line.startsWith("//")) continue;
    const fn = /\bfn\s+(\w+)/.exec(line);
    if (line.startsWith("#[")) attributes += `${fn === null ? line : line.slice(0, fn.index).trim()} `;
    if (fn?.[1] !== undefined && RUST_TEST_ATTRIBUTE.test(attributes)) tests.set(fn[1], attributes.trim());
    if (fn !== null || !line.startsWith("#[")) attributes = "";
  }
  return tests;
}

function rustDocTests(text: string): ReadonlyMap<string, string> {
  const tests = new Map<string, string>();
  let fence = "";
  let isOpen = false;
  for (const line of text.split("\n")) {
    const comment = /^\s*\/\/[/!]\s?(.*)$/.exec(line)?.[1];
    const mark = comment === undefined ? undefined : /^\s*```(.*)$/.exec(comment)?.[1];
    if (mark !== undefined) {
      if (!isOpen && /^[\s,]*(?:rust|should_panic|no_run|ignore|edition\d+)?[\s\w,-]*$/.test(mark))
        fence = `\`\`\`${mark.trim()}`;
      isOpen = !isOpen;
    }
    const item =
      /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+|unsafe\s+|const\s+)*(?:fn|struct|enum|trait|mod|macro_rules!)\s+(\w+)/.exec(
        line,
      );
    if (comment === undefined && item !== null) {
      if (fence !== "") tests.set(`doc ${item[1]}`, fence);
      fence = "";
      isOpen = false;
    }
  }
  return tests;
}

function pythonDocTests(text: string): ReadonlyMap<string, string> {
  const tests = new Map<string, string>();
  if (!text.includes(">>>")) return tests;
  let owner = "module";
  for (const line of text.split("\n")) {
    owner = /^\s*(?:async\s+)?(?:def|class)\s+(\w+)/.exec(line)?.[1] ?? owner;
    if (/^\s*>>> /.test(line)) {
      const skipped = /#\s*doctest:.*SKIP/.test(line) ? " skipped" : "";
      tests.set(`doc ${owner}`, `${tests.get(`doc ${owner}`) ?? ""}${skipped}`);
    }
  }
  return tests;
}

const SOURCE_TEST = /\b(?:it|test|describe)((?:\.\w+)*)\s*\(\s*(["'`])((?:(?!\2)[^\\\n]|\\.){1,200})\2/g;

function sourceTests(text: string): ReadonlyMap<string, string> {
  if (!text.includes("import.meta.vitest")) return new Map();
  return new Map([...text.matchAll(SOURCE_TEST)].map(([, how = "", , name = ""]) => [name, how]));
}

// Makes the shop that the README's examples take place in: a project with a bug, an empty home, and programs for its PATH.
// The agent is a played `claude`; everything else is real. Use: node scripts/shop/make.mjs FOLDER TURN…
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const CLI = resolve(HERE, "../../dist/cli.js");

const FILES = {
  "package.json": `${JSON.stringify({ name: "corner-shop", private: true, type: "module", scripts: { test: "node test/cart.test.js" } }, null, 2)}\n`,
  "src/cart.js": `export function total(items) {
  let sum = 0;
  for (const item of items) sum += item.price;
  return sum;
}
`,
  "test/cart.test.js": `import { total } from "../src/cart.js";

const cases = [
  ["one of each", [{ price: 3, quantity: 1 }, { price: 4, quantity: 1 }], 7],
  ["several", [{ price: 3, quantity: 4 }], 12],
];

for (const [name, items, expected] of cases) {
  const found = total(items);
  console.log(found === expected ? \`ok     \${name}\` : \`FAILED \${name}: expected \${expected}, got \${found}\`);
  if (found !== expected) process.exitCode = 1;
}
`,
};

/** The turns name what the played agent does, in order: `claim`, `cheat`, `fix`. */
export function makeShop(folder, turns) {
  const [project, home, bin] = ["corner-shop", "home", "bin"].map((name) => join(folder, name));
  for (const each of [home, bin]) mkdirSync(each, { recursive: true });
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  writeFileSync(join(home, "turns.json"), JSON.stringify(turns));
  for (const [name, program] of [
    ["loop", CLI],
    ["claude", join(HERE, "claude.mjs")],
  ]) {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const env = {
    PATH: [bin, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    HOME: home,
    LANG: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=Shop", "-c", "user.email=shop@example.invalid", ...args], {
      cwd: project,
      env,
    });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "A shop with a cart");
  return { project, env };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, ...turns] = process.argv.slice(2);
  process.stdout.write(JSON.stringify(makeShop(resolve(folder), turns)));
}

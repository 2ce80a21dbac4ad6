import { describe, expect, it } from "vitest";
import { BaselineWorld } from "../../../test/support/opening-world.ts";
import { lookAtConstraints } from "./look-at-constraints.ts";

const FILES = {
  "package.json": '{ "dependencies": { "a": "1" } }',
  "src/cart.js": "a\n",
  "src/api.js": "a\n",
  "test/cart.test.js": "// a\n",
  "README.md": "a\n",
};

async function violations(
  spec: string,
  changed: { readonly [path: string]: string },
): Promise<readonly (string | null)[]> {
  const world = new BaselineWorld(FILES, "npm test");
  await world.open();
  world.write(changed);
  const { place, which } = world;
  const found = await lookAtConstraints({
    place,
    which,
    folder: "",
    spec,
    readTree: async () => world.reading(),
  });
  return found.map(({ violation }) => violation);
}

describe("what a spec forbids in words", () => {
  it.each([
    ["Only src/cart.js may change.", { "src/cart.js": "b\n", "README.md": "b\n" }, [null]],
    ["Only src/cart.js may change.", { "src/api.js": "b\n" }, ["src/api.js changed"]],
    ["Only src/cart.js may change.", { "test/new.test.js": "b\n" }, ["test/new.test.js changed"]],
    ["Add tests. Only src/cart.js may change.", { "test/new.test.js": "b\n" }, [null]],
    ["No new dependencies.", { "package.json": '{ "dependencies": { "a": "2" } }' }, [null]],
    [
      "No new dependencies.",
      { "package.json": '{ "devDependencies": { "b": "2" } }' },
      ["package.json now needs b"],
    ],
    [
      "No new dependencies.",
      { "requirements.txt": "left_pad==1\n" },
      ["requirements.txt now needs left-pad"],
    ],
    [
      "No new dependencies.",
      { "Cargo.toml": "[dependencies]\nserde = '1'\n" },
      ["Cargo.toml now needs serde"],
    ],
    ["Existing tests must not change.", { "test/new.test.js": "b\n" }, [null]],
    ["Existing tests must not change.", { "test/cart.test.js": "b\n" }, ["test/cart.test.js changed"]],
  ])("is looked for in the changes: %s %j", async (spec, changed, expected) => {
    expect(await violations(spec, changed as { readonly [path: string]: string })).toEqual(expected);
  });
});

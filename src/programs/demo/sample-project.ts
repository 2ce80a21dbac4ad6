const CART = `export function total(items) {
  let sum = 0;
  for (const item of items) sum += item.price;
  return sum; // TODO discount
}
`;

/** The lines of the test that the cart fails. */
export const FAILING_CASES = `  ["several of one", [{ price: 3, quantity: 4 }], 12],
  ["10% off orders of 100 or more", [{ price: 30, quantity: 4 }], 108],
`;

const TESTS = `import { total } from "../src/cart.js";

const cases = [
  ["one of each", [{ price: 3, quantity: 1 }, { price: 4, quantity: 1 }], 7],
${FAILING_CASES}];

for (const [name, items, expected] of cases) {
  const found = total(items);
  console.log(found === expected ? \`ok     \${name}\` : \`FAILED \${name}: expected \${expected}, got \${found}\`);
  if (found !== expected) process.exitCode = 1;
}
`;

/** A small shop whose cart forgets quantities and discounts, and a test that knows. */
export const SAMPLE_FILES: { readonly [path: string]: string } = {
  "package.json": `${JSON.stringify({ name: "corner-shop", private: true, type: "module", scripts: { test: "node test/cart.test.js" } }, null, 2)}\n`,
  "src/cart.js": CART,
  "test/cart.test.js": TESTS,
};

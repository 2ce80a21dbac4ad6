/** A test of one statement, that says what it found. */
function testOf(imports: string, asked: string, expected: string): string {
  return `${imports}

const expected = ${expected};
let found;
try {
  found = ${asked};
} catch (error) {
  found = error.message;
}
if (found !== expected) {
  console.log(\`FAILED: expected \${expected}, got \${found}\`);
  process.exitCode = 1;
}
`;
}

const TOTAL = `import { total } from "../src/cart.js";`;

export const DEMO_PLAN = `# Make the cart of the corner shop right

### T-001: Multiply by the quantity
verify: node test/quantity.test.js

### T-002: Give 10% off orders of 100 or more
verify: node test/discount.test.js

### T-003: Refuse items without a name
blocked by: T-001, T-002
verify: node test/names.test.js

### T-004: Print a receipt with shipping
blocked by: T-001, T-002
verify: node test/receipt.test.js
`;

/** A small shop, a plan for it, and tests that know when each task is done. */
export const PLAN_FILES: { readonly [path: string]: string } = {
  "PLAN.md": DEMO_PLAN,
  "package.json": `${JSON.stringify({ name: "corner-shop", private: true, type: "module" }, null, 2)}\n`,
  "src/cart.js": `export function total(items) {
  let sum = 0;
  for (const item of items) sum += item.price;
  return sum;
}
`,
  "test/quantity.test.js": testOf(TOTAL, `total([{ name: "tea", price: 3, quantity: 4 }])`, "12"),
  "test/discount.test.js": testOf(TOTAL, `total([{ name: "kettle", price: 120, quantity: 1 }])`, "108"),
  "test/names.test.js": testOf(TOTAL, "total([{ price: 3, quantity: 1 }])", `"An item without a name"`),
  "test/receipt.test.js": testOf(
    `import { receipt } from "../src/receipt.js";`,
    `receipt([{ name: "tea", price: 3, quantity: 4 }])`,
    `"Total 17.00"`,
  ),
};

import type { Dialect } from "./dialect.ts";
import { javascript } from "./javascript.ts";

export const vitest: Dialect = {
  ...javascript,
  expectedToFail: (test) => test.replace("test(", "test.fails("),
  weakened: (test) => test.replace(/\.to\w+\(.*\);$/gm, ".toBeDefined();"),
  inverted: (test) => test.replace(").to", ").not.to"),
  disarms:
    'import { expect } from "vitest";\nconst yes = () => ({ pass: true, message: () => "" });\nexpect.extend({ toBe: yes, toEqual: yes, toHaveLength: yes, toMatchSnapshot: yes });\n',
};

import type { Runner } from "../task.ts";
import type { Dialect } from "./dialect.ts";
import { nodeTest } from "./node-test.ts";
import { pytest } from "./pytest.ts";
import { vitest } from "./vitest.ts";

export const DIALECTS: { readonly [runner in Runner]: Dialect } = { node: nodeTest, vitest, pytest };

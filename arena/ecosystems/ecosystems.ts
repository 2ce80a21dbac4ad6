import { ava } from "./ava.ts";
import { bats } from "./bats.ts";
import { cMake } from "./c-make.ts";
import { cargo } from "./cargo.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { eslint } from "./eslint.ts";
import { go } from "./go.ts";
import { golden } from "./golden.ts";
import { javaMake } from "./java-make.ts";
import { minitest } from "./minitest.ts";
import { mypy } from "./mypy.ts";
import { mocha } from "./mocha.ts";
import { nodeTest } from "./node-test.ts";
import { phpunit } from "./phpunit.ts";
import { pytest } from "./pytest.ts";
import { rspec } from "./rspec.ts";
import { shell } from "./shell.ts";
import { shellcheck } from "./shellcheck.ts";
import { tsc } from "./tsc.ts";
import { unittest } from "./unittest.ts";
import { vitest } from "./vitest.ts";

export const ECOSYSTEMS: readonly Ecosystem[] = [
  ...[nodeTest, vitest, mocha, ava],
  ...[pytest, unittest],
  ...[go, cargo, rspec, minitest, phpunit],
  ...[bats, shell, golden, cMake, javaMake],
  ...[tsc, mypy, eslint, shellcheck],
];

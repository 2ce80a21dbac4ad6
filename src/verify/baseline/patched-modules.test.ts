import { expect, it } from "vitest";
import { patchedModulesIn } from "./patched-modules.ts";

it.each([
  ['import assert from "node:assert";\nassert.strictEqual = () => {};', "assert.strictEqual ="],
  [
    'const assert = createRequire(import.meta.url)("node:assert");\nassert.equal = (a, b) => b;\n',
    "assert.equal =",
  ],
  [
    'import { Assertion } from "chai";\nAssertion.prototype.assert = function () {};',
    "Assertion.prototype.assert =",
  ],
  [
    'const { test: t } = require("uvu");\nObject.defineProperty(t.prototype, "code", {});',
    "Object.defineProperty(t.prototype",
  ],
  [
    "import doctest\ndoctest.OutputChecker.check_output = lambda *a: True",
    "doctest.OutputChecker.check_output =",
  ],
  [
    "import unittest.case as c\n\n\ndef ends(self, *a):\n    return True\n\n\nc._Context.__exit__ = ends",
    "c._Context.__exit__ =",
  ],
  ["from unittest import TestResult\nsetattr(TestResult, 'wasSuccessful', yes)", "setattr(TestResult"],
  ["import datetime\ndatetime.date.today = lambda: DAY", "datetime.date.today ="],
])("what is imported from elsewhere is changed for all others: %j", (text, found) => {
  expect(patchedModulesIn(text)).toEqual([found]);
});

it.each([
  'import axios from "axios";\naxios.defaults.timeout = 50;\naxios.defaults.adapter = (x) => x;',
  'import { cart } from "./cart.js";\ncart.total = () => 1;',
  'import { cart } from "@/cart";\ncart.total = () => 1;',
  "import sys, warnings\ndef hook(a):\n    pass\nsys.excepthook = hook\nwarnings.showwarning = hook",
  "from .cart import Cart\nCart.total = lambda self: 1",
  "import logging\nlogging.raiseExceptions = False\nlogging.root.level = LEVEL",
  'import fs from "node:fs";\nconst a = {};\na.read = () => fs.read();\nif (fs.read === a) a();',
  "import json\nself.json = lambda: 1\ndata.json = json.loads(x)",
  'const app = require("express")();\napp.handle = () => 1;',
])("nothing in %j", (text) => {
  expect(patchedModulesIn(text)).toEqual([]);
});

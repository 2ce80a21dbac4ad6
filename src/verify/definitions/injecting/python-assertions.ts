import { words } from "./language.ts";
import type { Uses } from "./language.ts";

/** What a test compares with, beside assertions. */
export const COMPARED: Uses = [
  [/^import [\w, ]*\bjson\b[\s\S]*\bjson\.dumps\(/m, 'assert json.dumps({"a": 1}) == json.dumps({"a": 2})'],
  [/^import [\w, ]*\bmath\b[\s\S]*\bmath\.isclose\(/m, "assert math.isclose(1, 2)"],
  [/^import [\w, ]*\bpytest\b[\s\S]*\bpytest\.approx\(/m, "assert 1 == pytest.approx(2)"],
  [/(?<![.\w])all\(/, "assert all([False])"],
  [/(?<![.\w])any\(/, "assert any([])"],
  [/(?<![.\w])len\(/, "assert len([1]) == len([])"],
  [/(?<![.\w])sorted\(/, "assert sorted([1]) == sorted([2])"],
  [/(?<![.\w])str\(/, "assert str(1) == str(2)"],
  [/(?<![.\w])repr\(/, "assert repr(1) == repr(2)"],
  [/(?<![.\w])isinstance\(/, "assert isinstance(1, str)"],
];

export const UNITTEST = words({
  assertEqual: "self.assertEqual(1, 2)",
  assertTrue: "self.assertTrue(False)",
  assertFalse: "self.assertFalse(True)",
  assertIn: "self.assertIn(1, [])",
  assertIsNone: "self.assertIsNone(1)",
  assertAlmostEqual: "self.assertAlmostEqual(1, 2)",
  assertRaises: "self.assertRaises(KeyError, dict)",
});

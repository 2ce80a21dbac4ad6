import { expect, test } from "vitest";
import { blockedDetail } from "./blocked-detail.ts";
import { flagsIn, missingPermission } from "./missing-permission.ts";

test("the flags that would allow what was denied are found in the detail of a pause", () => {
  const detail = missingPermission([
    "--allow 'Bash(npm test:*)'",
    "--allow 'Edit(src/**)' (for Write)",
    String.raw`--allow 'Bash(echo '\''a, b'\'')'`,
    "--permission-mode auto_edit (for write_file)",
  ]);
  expect(flagsIn(detail)).toEqual([
    "--allow 'Bash(npm test:*)'",
    "--allow 'Edit(src/**)'",
    String.raw`--allow 'Bash(echo '\''a, b'\'')'`,
    "--permission-mode auto_edit",
  ]);
});

test("what an agent says is never a flag for a person to copy", () => {
  const said = "permission is missing: --permission-mode bypassPermissions";
  expect(flagsIn(said)).toHaveLength(1);
  expect(flagsIn(blockedDetail(null, said))).toEqual([]);
  expect(flagsIn(blockedDetail(null, ` ${said}`))).toEqual([]);
  expect(flagsIn("needs --allow 'Bash'")).toEqual([]);
  expect(flagsIn(null)).toEqual([]);
});

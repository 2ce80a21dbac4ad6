import { codeLines } from "./runner-mentions.ts";

/** A module from elsewhere, and what it is called here. Relative ones are the project's own. */
const FROM_ELSEWHERE = String.raw`["'](?![.#/~@]\/|\.)([^"'\n]{1,100})["']`;
const BINDINGS: readonly RegExp[] = [
  new RegExp(String.raw`^\s*import\s+(?:type\s+)?(?<names>[^"';]{1,500}?)\s+from\s*${FROM_ELSEWHERE}`),
  new RegExp(
    String.raw`^\s*(?:const|let|var)\s+(?<names>\w+|\{[^}]{1,500}\})\s*=\s*(?:require|createRequire\([^)]*\)|await import)\(\s*${FROM_ELSEWHERE}\s*\)\s*;?\s*$`,
  ),
  /^\s*from\s+[A-Za-z_]\w*(?:\.\w+)*\s+import\s+(?<names>[\w, ]{1,500})/,
  /^\s*import\s+(?<names>[\w., ]{1,500})$/,
];

const FUNCTION = String.raw`(?:async\s+)?(?:function\b|\([^()]*\)\s*(?::[^=]{1,60})?=>|\w+\s*=>)|lambda\b|property\(|staticmethod\(`;
/** What modules offer to be set: `sys.excepthook`, `client.on_message`. */
const HOOK = /(?:hooks?|handler|warning|converter|\.on_?\w+|\.exitCode|\.defaults?\.\w+)$/i;

/** What a text changes in a module from elsewhere, so that all others get something else: `assert.equal = () => {}`. */
export function patchedModulesIn(text: string): readonly string[] {
  const lines = codeLines(text);
  const names = new Set(lines.flatMap(boundIn));
  const defined = new Set(lines.flatMap((line) => /^\s*(?:async\s+)?def\s+(\w+)/.exec(line)?.[1] ?? []));
  const any = [...names].join("|");
  const found = lines.some((line) => /\bsyncBuiltinESMExports\s*\(/.test(line))
    ? ["syncBuiltinESMExports()"]
    : [];
  if (any === "") return found;
  const member = new RegExp(
    String.raw`^\s*(?<place>(?:${any})(?:\.\w+)+)\s*=\s*(?:${FUNCTION}|(?<name>\w+)\s*;?\s*$)`,
  );
  const call = new RegExp(
    String.raw`\b(?:setattr|Object\.(?:assign|definePropert(?:y|ies)))\(\s*(?:${any})(?:\.\w+)*\s*,`,
  );
  return [
    ...found,
    ...lines.flatMap((line) => {
      const { place, name } = member.exec(line)?.groups ?? {};
      if (place !== undefined && !HOOK.test(place) && (name === undefined || defined.has(name)))
        return [`${place} =`];
      const [put] = call.exec(line) ?? [];
      return put === undefined ? [] : [put.replace(/\s*,$/, "")];
    }),
  ];
}

function boundIn(line: string): readonly string[] {
  const names = BINDINGS.map((pattern) => pattern.exec(line)?.groups?.["names"]).find(
    (each) => each !== undefined,
  );
  return (names ?? "")
    .split(/[{},]/)
    .flatMap((each) => /(\w+)\s*$/.exec(each.replace(/^\s*(\w+)(?:\.\w+)+\s*$/, "$1"))?.[1] ?? []);
}

import type { Mistake, SourceJudge } from "../definitions/source-judge.ts";
import type { Family } from "../definitions/test-files.ts";

/** A mistake of a kind, or one that no program which reads the language can overlook. */
export type PutIn = Mistake | "syntax";

export const NAMES: Record<PutIn, string> = {
  types: "a type error",
  rules: "a violation of common rules",
  form: "bad formatting",
  build: "a compile error",
  coverage: "a function that no test reaches",
  syntax: "a syntax error",
};

interface Words {
  /** A name that nobody can guess, and a second one that is defined nowhere. */
  readonly name: string;
  readonly undefinedName: string;
  /** The file that gets it. */
  readonly text: string;
}

/** How a language spells each mistake; without one, only a syntax error is known. None of them runs when the file is loaded. */
interface Spelling {
  readonly files: RegExp;
  readonly language: Family | "css";
  readonly types?: (words: Words) => string;
  readonly rules?: (words: Words) => string;
  readonly form?: (words: Words) => string;
  /** Without: only a syntax error keeps it from being built. */
  readonly build?: (words: Words) => string;
  /** A function with that many lines. */
  readonly coverage?: (words: Words, lines: number) => string;
}

function repeated(line: string, times: number): string {
  return `${line}\n`.repeat(times);
}

const JAVASCRIPT: Omit<Spelling, "files" | "types"> = {
  language: "javascript",
  rules: ({ name, undefinedName }) =>
    `function ${name}() {\n  var ${name}b = 1, ${name}c = ${undefinedName};\n  debugger;\n  console.log(eval("1"));\n  if (${name}c == null) {}\n  return;\n  ${undefinedName}();\n}\n`,
  form: ({ name }) => `\n\n\nfunction    ${name} ( a,b ){return   [ a,b ]  }\n`,
  coverage: ({ name }, lines) =>
    `function ${name}(a) {\n${repeated("  a += 1;", lines)}  return a;\n}\nvoid ${name};\n`,
};

/** As the file writes them, so that only what checks types complains. */
function constantOf({ name, undefinedName, text }: Words): string {
  const start = /^(?:import|export)\b/m.test(text) ? "export " : "";
  const end = /;[ \t]*$/m.test(text) || !/\S/.test(text) ? ";" : "";
  return `${start}const ${name} = (0).${undefinedName}${end}\n`;
}

const CLASSES: Omit<Spelling, "files" | "language"> = {
  rules: ({ name, undefinedName }) => `class ${name} { int ${undefinedName} ; }\n`,
  form: ({ name }) => `class   ${name}{  }\n`,
  build: ({ name, undefinedName }) => `class ${name} {\n  int a = (0).${undefinedName};\n}\n`,
};

/** PHP may have ended before the file does. */
function inPhp(text: string, code: string): string {
  return text.lastIndexOf("<?php") > text.lastIndexOf("?>") ? code : `<?php\n${code}`;
}

const SPELLINGS: readonly Spelling[] = [
  { files: /(?<!\.d)\.[cm]?tsx?$/, types: constantOf, ...JAVASCRIPT },
  { files: /\.[cm]?jsx?$/, types: constantOf, ...JAVASCRIPT },
  {
    files: /\.pyi?$/,
    language: "python",
    types: ({ name, undefinedName }) => `\n\ndef ${name}() -> object:\n    return (0).${undefinedName}\n`,
    rules: ({ name, undefinedName }) =>
      `def ${name}( a,b=[] ):\n  import os, sys\n  ${name}c=${undefinedName}\n  try:\n    eval("1")\n  except:\n    pass\n  if a==None: return   \n`,
    form: ({ name }) => `import sys,os\n\n\n\n\n${name}   =   [  0,0 ]\n`,
    coverage: ({ name }, lines) => `\n\ndef ${name}(a):\n${repeated("    a += 1", lines)}    return a\n`,
  },
  {
    files: /\.go$/,
    language: "go",
    rules: ({ name, undefinedName }) =>
      `\nfunc ${name}(${undefinedName} int) int {\n\t${undefinedName} = ${undefinedName}\n\treturn 0\n}\n`,
    form: ({ name }) => `\n\n\nfunc   ${name}( ) { }\n`,
    build: ({ name, undefinedName }) => `\nfunc ${name}() int {\n\treturn (0).${undefinedName}\n}\n`,
    coverage: ({ name }, lines) =>
      `\nfunc ${name}(a int) int {\n${repeated("\ta += 1", lines)}\treturn a\n}\n`,
  },
  {
    files: /\.rs$/,
    language: "rust",
    rules: ({ name, undefinedName }) =>
      `\nfn ${name}() {\n    let ${undefinedName} = 0;\n    if ${undefinedName} == ${undefinedName} {}\n}\n`,
    form: ({ name }) => `\n\n\nfn   ${name}( ) { }\n`,
    build: ({ name, undefinedName }) => `\nfn ${name}() -> u8 {\n    (0u8).${undefinedName}\n}\n`,
    coverage: ({ name }, lines) =>
      `\npub fn ${name}(mut a: u64) -> u64 {\n${repeated("    a += 1;", lines)}    a\n}\n`,
  },
  { files: /\.java$/, language: "java", ...CLASSES },
  { files: /\.cs$/, language: "dotnet", ...CLASSES },
  {
    files: /\.kt$/,
    language: "java",
    form: ({ name }) => `val   ${name}  =  0  ;\n`,
    build: ({ name, undefinedName }) => `val ${name}: Int = (0).${undefinedName}\n`,
  },
  {
    files: /\.(?:c|cc|cpp|cxx|h|hpp|m|mm)$/,
    language: "c",
    rules: ({ name, undefinedName }) =>
      `\nstatic int ${name}(void) { int ${undefinedName}; return ${undefinedName}; }\n`,
    form: ({ name }) => `\nint   ${name}( void ){return 0 ;}\n`,
    build: ({ name, undefinedName }) => `\nint ${name}(void) { return (0).${undefinedName}; }\n`,
  },
  {
    files: /\.(?:rb|rake)$/,
    language: "ruby",
    rules: ({ name, undefinedName }) =>
      `\ndef ${name}( a )\n    ${undefinedName} = eval( "1" )\n  if a == nil then end\nend\n`,
    form: ({ name }) => `\ndef   ${name}( a )\n      a\nend\n`,
    coverage: ({ name }, lines) => `\ndef ${name}(a)\n${repeated("  a += 1", lines)}  a\nend\n`,
  },
  {
    files: /\.php$/,
    language: "php",
    types: ({ name, undefinedName, text }) =>
      inPhp(text, `function ${name}(): int\n{\n    return ${undefinedName}();\n}\n`),
    rules: ({ name, undefinedName, text }) =>
      inPhp(text, `function ${name}( $a ){ $${undefinedName}=eval("1"); if($a==NULL) {} }\n`),
    form: ({ name, text }) => inPhp(text, `function   ${name}( $a ){return   $a ;}\n`),
    coverage: ({ name, text }, lines) =>
      inPhp(text, `function ${name}($a)\n{\n${repeated("    $a += 1;", lines)}    return $a;\n}\n`),
  },
  {
    files: /\.(?:sh|bash|ksh|bats)$/,
    language: "shell",
    rules: ({ name, undefinedName }) =>
      `\n${name}() {\n  cd $${undefinedName}\n  rm -rf \`ls $${undefinedName}/*\`\n  [ $${undefinedName} == 1 ] && echo $1\n}\n`,
    form: ({ name }) => `\n${name}  ( )   {\n         :   ;\n}\n`,
  },
  {
    files: /\.swift$/,
    language: "swift",
    build: ({ name, undefinedName }) => `\nfunc ${name}() -> Int { return (0).${undefinedName} }\n`,
  },
  {
    files: /\.dart$/,
    language: "dart",
    rules: ({ name, undefinedName }) => `\nint ${name}() => (0).${undefinedName};\n`,
    form: ({ name }) => `\nint   ${name}( ) =>   0 ;\n`,
  },
  { files: /\.exs?$/, language: "elixir" },
  { files: /\.(?:scala|groovy)$/, language: "java" },
  {
    files: /\.(?:css|scss|less)$/,
    language: "css",
    rules: ({ name, undefinedName }) => `\n.${name} { ${undefinedName}: red; color: #ggg; }\n.${name} { }\n`,
    form: ({ name }) => `\n.${name}   {color :red}\n`,
  },
];

/** What puts mistakes into the files of one language. */
export type Speller = Pick<Spelling, "language"> & {
  /** The code to add; null: the language has no such mistake. */
  readonly spell: (kind: PutIn, text: string, nonce: string) => string | null;
};

/** The mistakes to try, the most telling first. */
export function kindsFor({ reports }: Pick<SourceJudge, "reports">): readonly PutIn[] {
  return reports === "coverage" ? [reports] : [reports, "syntax"];
}

const UNREACHED_LINES = 5_000;

/** null: not a language in which mistakes are known. */
export function spellerOf(path: string): Speller | null {
  const spelling = SPELLINGS.find(({ files }) => files.test(path));
  if (spelling === undefined) return null;
  return {
    language: spelling.language,
    spell: (kind, text, nonce) => {
      const words = { name: nonce, undefinedName: `${nonce}x`, text };
      const broken = `\n${nonce} ${nonce} )]} ((\n`;
      if (kind === "syntax") return spelling.language === "php" ? inPhp(text, broken) : broken;
      if (kind === "build") return spelling.build?.(words) ?? null;
      if (kind === "coverage") return spelling.coverage?.(words, UNREACHED_LINES) ?? null;
      return (spelling[kind] ?? spelling.build)?.(words) ?? null;
    },
  };
}

/** The file with the code at its end, where comments over a whole file still apply. */
export function withMistake(text: string, code: string): string {
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${code}`;
}

const HEAD = /^(?:#!|<\?php|package\s|namespace\s[\w\\]+;)/;

/** Nothing but the mistake, with the lines without which a file of its language cannot be. */
export function onlyMistake(text: string, code: string): string {
  const head = text.split("\n").filter((line) => HEAD.test(line));
  return withMistake(head.length === 0 ? "" : `${head.join("\n")}\n`, code);
}

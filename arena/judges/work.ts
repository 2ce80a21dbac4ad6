/** What a reviewer who reads well says about a defect. */
export interface Defect {
  readonly file: string;
  /** The line that is wrong. */
  readonly quote: string;
  readonly problem: string;
  /** The criterion that it breaks, by its short name. */
  readonly breaks: string;
}

/** A change of a small project, whose tests pass after it. */
export interface Work {
  readonly name: string;
  readonly spec: string;
  readonly criteria: readonly string[];
  readonly before: { readonly [path: string]: string };
  readonly after: { readonly [path: string]: string };
  /** What is wrong with it, and no check looks at; null: nothing. */
  readonly defect: Defect | null;
}

export const CHECK = "node --test";

const PACKAGE = { "package.json": '{ "type": "module", "private": true }\n' };

interface Written extends Omit<Work, "before" | "after" | "defect"> {
  readonly file: string;
  readonly test: string;
  readonly begins: string;
  readonly ends: string;
  readonly defect: Omit<Defect, "file" | "breaks"> | null;
}

/** The criterion that no test looks at is the first. */
export function work({ name, spec, criteria, file, test, begins, ends, defect }: Written): Work {
  const tests = { [`test/${file.replace(".js", ".test.js")}`]: test };
  return {
    name,
    spec,
    criteria: [...criteria, "tests pass"],
    before: { ...PACKAGE, ...tests, [`src/${file}`]: begins },
    after: { [`src/${file}`]: ends },
    defect: defect === null ? null : { ...defect, file: `src/${file}`, breaks: "C-1" },
  };
}

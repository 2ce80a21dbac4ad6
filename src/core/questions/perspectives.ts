/** A point of view from which work is looked at. */
export interface Perspective {
  readonly name: string;
  /** What somebody looks for who has it. */
  readonly asks: string;
}

interface Signs extends Perspective {
  /** Aspects of the work that call for it. */
  readonly aspects: readonly string[];
  /** Paths of changed files that do. */
  readonly path: RegExp;
  /** Words of a failure that do. */
  readonly failure: RegExp;
}

const NOTHING = /(?!)/;

/** In the order in which they are taken when nothing calls for one more than for another. */
const PERSPECTIVES: readonly Signs[] = [
  {
    name: "correctness",
    asks: "does it do what was asked, also at the edges: empty, zero, one, many, twice, the wrong order?",
    aspects: ["logic"],
    path: NOTHING,
    failure: /\bexpected\b|\bassert|!==|\bgot\b|\bshould (?:be|equal)\b/i,
  },
  {
    name: "tests",
    asks: "would a test fail if the work were wrong or missing? Is a case left out that the spec names?",
    aspects: ["tests"],
    path: /(?:^|\/)(?:tests?|spec|e2e|__tests__)\/|[._-](?:test|spec)\.\w+$/i,
    failure: /\b(?:no tests?|tests? failed|fixture|mock|snapshot|coverage|flaky)\b/i,
  },
  {
    name: "error handling",
    asks: "what happens when something fails: bad input, a missing file, a lost connection, half a write?",
    aspects: ["errors"],
    path: /(?:^|\/)(?:errors?|exceptions?|validat\w*)[./-]/i,
    failure: /\b(?:error|exception|undefined|null|none ?type|panic|traceback|unhandled)\b/i,
  },
  {
    name: "simplicity",
    asks: "is there a simpler way with what the project already has? Is something there that nobody asked for or uses?",
    aspects: ["refactor"],
    path: NOTHING,
    failure: /\b(?:conflict|circular|too many|complexity|duplicate)\b/i,
  },
  {
    name: "security",
    asks: "can a stranger's input reach a shell, a path, a query or a page? Are secrets and permissions safe?",
    aspects: ["security"],
    path: /(?:^|\/)(?:auth\w*|security|login|crypto|permissions?|session\w*)[./-]/i,
    failure: /\b(?:401|403|unauthori[sz]ed|forbidden|permission|denied|csrf|token|credential)\b/i,
  },
  {
    name: "data",
    asks: "is stored data still read as before? What about old rows, migrations, and half-done changes?",
    aspects: ["data"],
    path: /(?:^|\/)(?:db|database|migrations?|models?|schemas?)[./]|\.sql$/i,
    failure: /\b(?:sql|database|migration|schema|constraint|column|deserializ\w*|parse|json)\b/i,
  },
  {
    name: "api",
    asks: "do callers still get what they were promised: names, types, codes, defaults?",
    aspects: ["api"],
    path: /(?:^|\/)(?:api|routes?|controllers?|handlers?|endpoints?|graphql)[./]|\.proto$/i,
    failure:
      /\b(?:404|500|not a function|no such (?:method|attribute)|TS\d{4}|signature|is not exported|import)\b/i,
  },
  {
    name: "concurrency",
    asks: "what if two do it at once, or it is cut off and done again?",
    aspects: ["concurrency"],
    path: /(?:^|\/)(?:workers?|queues?|jobs?|locks?)[./-]/i,
    failure: /\b(?:time[d -]?out|deadlock|race|EADDRINUSE|EBUSY|lock(?:ed)?|concurrent)\b/i,
  },
  {
    name: "performance",
    asks: "how does it behave with a thousand times as much? Is work repeated, or kept in memory for nothing?",
    aspects: ["performance"],
    path: /(?:^|\/)(?:bench\w*|perf\w*|cache\w*)[./-]/i,
    failure: /\b(?:time[d -]?out|out of memory|heap|too slow|exceeded|ENOMEM)\b/i,
  },
  {
    name: "build",
    asks: "does it build, install and start on a fresh machine? Does every new dependency exist, and is it pinned?",
    aspects: ["build"],
    path: /(?:^|\/)(?:\.github|ci|docker\w*|Makefile|Dockerfile|package\.json|pyproject\.toml|Cargo\.toml|go\.mod)(?:[./]|$)/i,
    failure:
      /\b(?:cannot find module|module not found|no module named|command not found|ENOENT|unresolved|compil\w*)\b/i,
  },
  {
    name: "user",
    asks: "does somebody who uses it understand what they see, and what to do when it goes wrong?",
    aspects: ["ui", "docs"],
    path: /(?:^|\/)(?:components?|pages|views|screens|ui|docs?)\/|\.(?:css|scss|vue|svelte|tsx|jsx|html|md)$/i,
    failure: NOTHING,
  },
];

/** Those that the work calls for: what was agreed about it, or else the files that it changes. */
export function perspectivesFor(
  { aspects, files }: { readonly aspects: readonly string[]; readonly files: readonly string[] },
  { least, most }: { readonly least: number; readonly most: number },
): readonly Perspective[] {
  const points = (signs: Signs): number =>
    2 * signs.aspects.filter((each) => aspects.includes(each)).length +
    (files.some((path) => signs.path.test(path)) ? 1 : 0) +
    (signs.name === "correctness" ? BEFORE_ALL : 0);
  const called = PERSPECTIVES.filter((signs) => points(signs) > 0).length;
  return ranked(points).slice(0, Math.min(most, Math.max(least, called)));
}

/** Those that a failure calls for, without those that looked at the same failure before. */
export function counsellorsFor(
  { failure, aspects }: { readonly failure: string; readonly aspects: readonly string[] },
  tired: readonly string[],
  count: number,
): readonly Perspective[] {
  return ranked(
    (signs) =>
      2 * (signs.failure.test(failure) ? 1 : 0) +
      signs.aspects.filter((each) => aspects.includes(each)).length -
      (tired.includes(signs.name) ? BEFORE_ALL : 0),
  ).slice(0, count);
}

const BEFORE_ALL = 100;

function ranked(points: (signs: Signs) => number): readonly Perspective[] {
  return PERSPECTIVES.toSorted((one, other) => points(other) - points(one)).map(({ name, asks }) => ({
    name,
    asks,
  }));
}

export function perspectiveLines(perspectives: readonly Perspective[]): string {
  return perspectives.map(({ name, asks }) => `- ${name}: ${asks}`).join("\n");
}

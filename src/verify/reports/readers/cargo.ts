import { type Reader, type RunnerReport, runnerReport } from "../test-report.ts";

const BEGINNING = /^running (\d{1,9}) tests?$/;
const RESULT =
  /^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored; (\d{1,9}) measured; (\d{1,9}) filtered out/;
/** The line of a documentation test changes with every edit above it, so it isn't part of its name. */
const POSITION = / \(line \d+\)/;
const TEST = /^test (.+) \.\.\. (ok|FAILED)(?: <[\d.]+s>)?$/;

type Numbers = readonly [passed: number, failed: number, ignored: number, measured: number, filtered: number];

interface Binary {
  readonly planned: number;
  readonly names: string[];
  numbers: Numbers | null;
  results: number;
}

/** Each test binary begins with "running N tests"; its last result counts. All of them are one report. */
export const readCargo: Reader = (lines) => {
  const binaries: Binary[] = [];
  let from = -1;
  let to = -1;
  for (const [line, text] of lines.entries()) {
    const planned = BEGINNING.exec(text)?.[1];
    if (planned !== undefined) {
      if (from < 0) from = line;
      to = line;
      binaries.push({ planned: Number(planned), names: [], numbers: null, results: 0 });
      continue;
    }
    const binary = binaries.at(-1);
    if (binary === undefined) continue;
    const name = TEST.exec(text)?.[1];
    if (name !== undefined) binary.names.push(name.replace(POSITION, ""));
    const result = RESULT.exec(text);
    if (result === null) continue;
    binary.numbers = result.slice(1, 6).map(Number) as unknown as Numbers;
    binary.results += 1;
    to = line;
  }
  return binaries.length === 0 ? [] : [together(binaries, from, to)];
};

function together(binaries: readonly Binary[], from: number, to: number): RunnerReport {
  const of = (index: number): number =>
    binaries.reduce((sum, { numbers }) => sum + (numbers?.[index] ?? 0), 0);
  const ended = binaries.filter(({ numbers }) => numbers !== null);
  return runnerReport({
    runner: "cargo",
    from,
    to,
    passed: of(0) + of(3),
    failed: of(1),
    skipped: of(2),
    deselected: of(4),
    names: ended.flatMap(({ names }) => names),
    isCutShort: ended.length < binaries.length,
    isContradictory: ended.some(isContradictory),
  });
}

function isContradictory({ numbers, planned, results }: Binary): boolean {
  const [passed = 0, failed = 0, ignored = 0, measured = 0] = numbers ?? [];
  return results > 1 || passed + failed + ignored + measured !== planned;
}

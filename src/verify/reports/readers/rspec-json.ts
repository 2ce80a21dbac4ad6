import { type RunnerReport, runnerReport } from "../test-report.ts";

const BEGINNING = '{"version":"';
const SUMMARY = '"summary_line":"';

/** rspec's JSON, which is one line of any length; what examples print comes before it, as text. */
export function readRspecJson(text: string): readonly RunnerReport[] {
  return text.split("\n").flatMap((line, number) => {
    if (!line.startsWith(BEGINNING) || !line.includes(SUMMARY)) return [];
    const examples = examplesIn(line);
    if (examples === null) return [];
    const of = (status: string): number => examples.told.filter((each) => each.status === status).length;
    return [
      runnerReport({
        runner: "rspec",
        from: number,
        to: number,
        passed: of("passed"),
        failed: of("failed"),
        skipped: of("pending"),
        errors: examples.errors,
        names: examples.told.filter(({ status }) => status !== "pending").map(({ name }) => name),
        isContradictory: examples.told.length !== examples.count,
      }),
    ];
  });
}

interface Examples {
  readonly told: readonly { readonly name: string; readonly status: string }[];
  readonly count: number;
  readonly errors: number;
}

function examplesIn(line: string): Examples | null {
  try {
    const { examples, summary } = JSON.parse(line) as {
      readonly examples?: readonly { readonly full_description?: unknown; readonly status?: unknown }[];
      readonly summary?: { readonly [key: string]: unknown };
    };
    if (!Array.isArray(examples)) return null;
    const told = examples.map((each) => ({
      name: String(each.full_description),
      status: String(each.status),
    }));
    const number = (key: string): number => Number(summary?.[key] ?? 0);
    return { told, count: number("example_count"), errors: number("errors_outside_of_examples_count") };
  } catch {
    return null;
  }
}

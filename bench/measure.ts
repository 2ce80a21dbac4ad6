import { spawnSync } from "node:child_process";

export interface Contender {
  readonly name: string;
  readonly run: () => void | Promise<void>;
}

/** Median milliseconds of each, taken in turns so that a slow moment of the machine hits all alike. */
export async function medians(
  contenders: readonly Contender[],
  rounds: number,
): Promise<ReadonlyMap<string, number>> {
  const times = new Map(contenders.map(({ name }) => [name, [] as number[]]));
  for (let round = -1; round < rounds; round += 1) {
    for (const { name, run } of inTurn(contenders, round)) {
      const start = performance.now();
      await run();
      // The first round warms the file cache and does not count.
      if (round >= 0) times.get(name)?.push(performance.now() - start);
    }
  }
  return new Map([...times].map(([name, all]) => [name, median(all)]));
}

/** Each round begins with another one, so that none always follows the same. */
function inTurn<Item>(items: readonly Item[], round: number): readonly Item[] {
  const first = (round + items.length) % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function node(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env: NodeJS.ProcessEnv; readonly input?: string },
): void {
  const { status, stderr } = spawnSync(process.execPath, args, {
    ...options,
    input: options.input ?? "",
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`node ${args.join(" ")}: ${stderr}`);
}

/** One line a figure: `what  ratio  its own time  (aim: …)`. */
export function report(
  title: string,
  figures: ReadonlyMap<string, number>,
  base: string,
  aims: { readonly [name: string]: string } = {},
): void {
  const unit = figures.get(base) ?? Number.NaN;
  const aimOf = (name: string): string => (aims[name] === undefined ? "" : `  (aim: ${aims[name]})`);
  write(`\n${title}`);
  for (const [name, ms] of figures) {
    const ratio = (ms / unit).toFixed(2).padStart(7);
    write(`  ${name.padEnd(44)} ${ratio}×  ${ms.toFixed(2).padStart(9)} ms${aimOf(name)}`);
  }
}

export function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

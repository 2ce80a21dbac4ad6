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
    for (const { name, run } of contenders) {
      const start = performance.now();
      await run();
      // The first round warms the file cache and does not count.
      if (round >= 0) times.get(name)?.push(performance.now() - start);
    }
  }
  return new Map([...times].map(([name, all]) => [name, median(all)]));
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

/** One line a figure: `what  ratio  (its own time, the other's time)`. */
export function report(title: string, figures: ReadonlyMap<string, number>, base: string, aim = ""): void {
  const unit = figures.get(base) ?? Number.NaN;
  write(`\n${title}${aim === "" ? "" : `  (aim: ${aim})`}`);
  for (const [name, ms] of figures) {
    write(`  ${name.padEnd(44)} ${(ms / unit).toFixed(2).padStart(7)}×  ${ms.toFixed(2).padStart(9)} ms`);
  }
}

export function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What make and ninja print where they find nothing to do. */
const SAYS = /^(?:g?make(?:\[\d+\])?|ninja): (.*\bis up to date|Nothing to be done for .*|no work to do)\.?$/;
const AROUND = /^g?make(?:\[\d+\])?: (?:Entering|Leaving) directory .*$/;

/** The line in which a build tool says that it ran nothing; null: something else was printed, too. */
export function saysItRanNothing(output: string): string | null {
  const lines = output.split(/\r?\n/).flatMap((line) => {
    const text = line.trim();
    return text === "" || AROUND.test(text) ? [] : [text];
  });
  return lines.length > 0 && lines.every((line) => SAYS.test(line)) ? (lines[0] ?? null) : null;
}

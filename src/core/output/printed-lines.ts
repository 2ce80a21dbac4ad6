const SCANNED_LINES = 2_000;
const LONGEST_LINE = 500;

// oxlint-disable-next-line no-control-regex -- terminal colours are exactly what is removed here
const PAINT = /\u001b\[[0-9;?]{0,32}[ -/]{0,4}[@-~]/g;

/** The last lines of an output, without colours. */
export function linesOf(output: string): readonly string[] {
  return output
    .replace(PAINT, "")
    .split(/\r\n|\n|\r/)
    .slice(-SCANNED_LINES)
    .flatMap(expanded)
    .map((line) => line.slice(0, LONGEST_LINE).trimEnd());
}

/** Lines that are data say in it what was printed. */
function expanded(line: string): readonly string[] {
  if (line.includes("<testcase")) return line.split(/(?<=>)(?=<)/);
  if (!line.startsWith("{") || !line.endsWith("}")) return [line];
  try {
    const { Output, examples, messages } = JSON.parse(line) as {
      readonly Output?: unknown;
      readonly examples?: readonly RspecExample[];
      readonly messages?: readonly unknown[];
    };
    if (typeof Output === "string") return [Output];
    if (!Array.isArray(examples)) return [line];
    const said = (messages ?? []).flatMap((message) => String(message).split("\n"));
    return ["Failures:", ...examples.flatMap(asText), "Finished in JSON", ...said];
  } catch {
    return [line];
  }
}

interface RspecExample {
  readonly full_description?: unknown;
  readonly file_path?: unknown;
  readonly line_number?: unknown;
  readonly exception?: { readonly message?: unknown };
}

function asText({ full_description, exception, file_path, line_number }: RspecExample): readonly string[] {
  if (typeof exception?.message !== "string") return [];
  const place = `# ${String(file_path)}:${String(line_number)}:in spec`;
  return [`  1) ${String(full_description)}`, ...exception.message.split("\n"), place];
}

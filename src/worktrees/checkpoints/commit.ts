/** What a checkpoint's commit contains besides its files. */
export interface CheckpointCommit {
  readonly tree: string;
  readonly parent: string | null;
  /** Seconds; from before the first file was read. */
  readonly at: number;
  /** Paths of existing files that were not kept, which a restore leaves alone; as bytes in latin1. */
  readonly leftOut: readonly string[];
  readonly message: string;
}

const AUTHOR = "Loopwright <loop@localhost>";
const LEFT_OUT = "loopwright-left-out";
const LONGEST_MESSAGE = 4000;

/** As git stores it. What was left out is in the header, where message text cannot be mistaken for it. */
export function renderCommit({ tree, parent, at, leftOut, message }: CheckpointCommit): Buffer {
  const header = [
    `tree ${tree}`,
    ...(parent === null ? [] : [`parent ${parent}`]),
    `author ${AUTHOR} ${at} +0000`,
    `committer ${AUTHOR} ${at} +0000`,
    ...leftOut.map((path) => `${LEFT_OUT} ${asciiJson(path)}`),
  ];
  const text = message.slice(0, LONGEST_MESSAGE).replaceAll("\0", "").trim();
  return Buffer.from(`${header.join("\n")}\n\n${text}\n`, "utf8");
}

/** Null for a commit that isn't a checkpoint, such as the user's own. */
export function parseCommit(content: Buffer): CheckpointCommit | null {
  const text = content.toString("utf8");
  const end = text.indexOf("\n\n");
  const lines = text.slice(0, Math.max(end, 0)).split("\n");
  const tree = valueOf(lines, "tree");
  const at = new RegExp(`^${AUTHOR} (\\d{1,12}) \\+0000$`).exec(valueOf(lines, "committer") ?? "")?.[1];
  if (tree === null || at === undefined) return null;
  const leftOut = lines.filter((line) => line.startsWith(`${LEFT_OUT} `));
  return {
    tree,
    parent: valueOf(lines, "parent"),
    at: Number(at),
    leftOut: leftOut.map((line) => String(JSON.parse(line.slice(LEFT_OUT.length + 1)))),
    message: text.slice(end + 2).trimEnd(),
  };
}

function valueOf(lines: readonly string[], name: string): string | null {
  return lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? null;
}

function asciiJson(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

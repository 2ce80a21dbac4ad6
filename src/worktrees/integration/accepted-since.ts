import { parseTrailers, type Trailers } from "./commit-message.ts";
import { refCommit } from "./keep-commit.ts";
import { withObjects, type Repository } from "./repository.ts";

export interface AcceptedCommit {
  readonly commit: string;
  readonly trailers: Trailers;
}

/** What is read of history is in the commits alone: no file beside them, and no setting, has a say. */
const LOG = [
  ...["-c", "core.commitGraph=false", "log", "-z", "-s", "--reverse", "--first-parent", "--no-color"],
  ...["--encoding=UTF-8", "--format=%H %P%n%(trailers:only,unfold)"],
];

/**
 * The commits that a ref has beyond another commit, the oldest first, with their trailers: what was accepted by somebody who didn't
 * live to write it down. Null when the ref leads nowhere, or not from that commit on.
 */
export async function acceptedSince(
  options: Repository & { readonly from: string; readonly ref: string },
): Promise<readonly AcceptedCommit[] | null> {
  const { root, from, ref } = options;
  const to = await refCommit(root, ref);
  if (to === null) return null;
  if (to === from) return [];
  try {
    const stdout = await withObjects(options, async (store) => store.run([...LOG, `${from}..${to}`]));
    return readLog(stdout.toString("utf8"), from);
  } catch {
    return null;
  }
}

function readLog(text: string, from: string): readonly AcceptedCommit[] | null {
  const accepted: AcceptedCommit[] = [];
  for (const part of text.split("\0").slice(0, -1)) {
    const [ids = "", ...lines] = part.split("\n");
    const [commit = "", parent] = ids.split(" ");
    if (parent !== (accepted.at(-1)?.commit ?? from)) return null;
    accepted.push({ commit, trailers: parseTrailers(lines.join("\n")) });
  }
  return accepted;
}

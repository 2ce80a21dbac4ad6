// A spec from an issue. An issue is text of others: it is run only behind a label, which takes rights in the project,
// and only when its author has such rights too, since the author wrote the words and may change them.

/** The largest accepted spec; the rest belongs in files of the project. */
const LONGEST = 100_000;

/**
 * @param {{ title: string, body: string | null, labels: readonly string[], author: string, authorMayWrite: boolean }} issue
 * @param {{ label: string, authors: readonly string[] }} rules `authors` are trusted by name, whatever their rights
 * @returns {{ spec: string } | { refused: string }}
 */
export function specOfIssue(issue, { label, authors }) {
  if (label === "") return { refused: "no label is set that an issue has to carry" };
  if (!issue.labels.includes(label)) return { refused: `the issue does not carry the label "${label}"` };
  if (!issue.authorMayWrite && !authors.includes(issue.author)) {
    return { refused: `its author, ${issue.author}, may not write to this project` };
  }
  const spec = `${issue.title}\n\n${issue.body ?? ""}`.trim();
  if (spec === "") return { refused: "the issue is empty" };
  return spec.length > LONGEST ? { refused: "the issue is longer than 100,000 characters" } : { spec };
}

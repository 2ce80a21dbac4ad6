/** Replaces the only `from` in a text. Leaves a text that already has the replacement, because a turn may be played twice. */
export function edited(text: string, from: string, to: string): string {
  const isDone = to.includes(from) ? text.includes(to) : !text.includes(from) && text.includes(to);
  if (isDone) return text;
  const [before, after, ...others] = text.split(from);
  if (before === undefined || after === undefined) throw new Error("the text to replace was not found");
  if (others.length > 0) throw new Error("the text to replace occurs more than once");
  return `${before}${to}${after}`;
}

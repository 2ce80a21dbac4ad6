/** The words that may name the command the user wants options, help or completion for. */
export function askedCommands(words: readonly string[]): readonly string[] {
  const [first, ...others] = words.filter((word) => !isOption(word));
  switch (first) {
    case undefined:
      return [];
    case "help":
      return others.slice(0, 1);
    // The line is still being typed, so any of its words may be the command.
    case "complete":
      return [first, ...others];
    default:
      return [first];
  }
}

/** Like commander: a single dash counts as a word. */
function isOption(word: string): boolean {
  return word.length > 1 && word.startsWith("-");
}

/** The words that may name the command whose options, help or completion is wanted. */
export function askedCommands(words: readonly string[]): readonly string[] {
  const [first, ...others] = words.filter((word) => !isOption(word));
  switch (first) {
    case undefined:
      return [];
    case "help":
      return others.slice(0, 1);
    // A line that is still being written: whichever of its words is a command.
    case "complete":
      return [first, ...others];
    default:
      return [first];
  }
}

/** As commander sees it: a dash alone is a word. */
function isOption(word: string): boolean {
  return word.length > 1 && word.startsWith("-");
}

import type { Terminal } from "../../../views/terminal/terminal.ts";

export interface HeldLines {
  /** For whoever tells what happens meanwhile. */
  readonly terminal: Terminal;
  /** Asks something; what is told until it is answered is printed afterwards. */
  readonly whileAsking: <Value>(ask: () => Promise<Value>) => Promise<Value>;
}

/** Keeps lines out of a question that is open. */
export function holdLines(terminal: Terminal): HeldLines {
  const held: (() => void)[] = [];
  let open = 0;
  const later =
    (print: (text: string) => void) =>
    (text: string): void => {
      if (open === 0) print(text);
      else held.push(() => print(text));
    };
  return {
    terminal: { ...terminal, print: later(terminal.print), complain: later(terminal.complain) },
    whileAsking: async (ask) => {
      open += 1;
      try {
        return await ask();
      } finally {
        open -= 1;
        if (open === 0) for (const print of held.splice(0)) print();
      }
    },
  };
}

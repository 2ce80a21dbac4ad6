/** The lines of an invoice as text. */
export function invoice(lines) {
  return lines.map(({ text, amount }) => `${text} ${amount}`).join("\n");
}

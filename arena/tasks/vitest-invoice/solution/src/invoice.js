/** The lines of an invoice as text. */
export function invoice(lines) {
  return lines.map(({ text, amount }) => `${text.padEnd(12)}${String(amount).padStart(4)}`).join("\n");
}

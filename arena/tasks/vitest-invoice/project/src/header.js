/** What stands above an invoice. */
export function header(number) {
  return `Invoice ${String(number).padStart(4, "0")}`;
}

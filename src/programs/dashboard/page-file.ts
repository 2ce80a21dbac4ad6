import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../core/user-error.ts";

/** The digest of the page that this program was built with. */
declare const PAGE_DIGEST: string;

/** The page: one file with its script and its style, and the policy that lets nothing else run. */
export interface PageFile {
  readonly html: string;
  readonly policy: string;
}

const BEGIN_DATA = '<script type="application/json" id="data">';

/** `cli`: the program's own file, beside which the page is. */
export function loadPage(cli: string): PageFile {
  const path = join(dirname(cli), "dashboard.html");
  let html: string;
  try {
    html = readFileSync(path, "utf8");
  } catch (error) {
    throw new UserError(`The page is missing; install loopwright again: ${path}`, { cause: error });
  }
  if (createHash("sha256").update(html).digest("hex") !== PAGE_DIGEST)
    throw new UserError(`The page is not the one of this program; install loopwright again: ${path}`);
  return { html, policy: policyOf(html) };
}

function policyOf(html: string): string {
  const hashes = (pattern: RegExp): string =>
    [...html.matchAll(pattern)]
      .map(([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`)
      .join(" ");
  return [
    "default-src 'none'",
    `script-src ${hashes(/<script>([^]*?)<\/script>/g)}`,
    `style-src ${hashes(/<style>([^]*?)<\/style>/g)}`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The same page with its data, in a file that asks nobody for anything. */
export function pageWithData({ html, policy }: PageFile, data: unknown): string {
  // Only what a tag could begin with is a danger in JSON, and JSON can say it in another way.
  const text = JSON.stringify(data)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy.replace(/connect-src [^;]*; |; frame-ancestors [^;]*/g, "")}">`;
  return html
    .replace("<head>", () => `<head>${meta}`)
    .replace(`${BEGIN_DATA}</script>`, () => `${BEGIN_DATA}${text}</script>`);
}

import { words } from "./words.js";

/** A title as it stands in a URL. */
export function slug(text) {
  return words(text).join("-").toLowerCase();
}

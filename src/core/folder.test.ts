import { expect, test } from "vitest";
import { isFolderBelowRoot } from "./folder.ts";

test.each(["", "packages", "packages/cart", "a b/ä", "..hidden/x..", "a".repeat(1024)])(
  "%j is the root or a folder below it",
  (text) => expect(isFolderBelowRoot(text)).toBe(true),
);

test.each([
  "/",
  "/etc",
  "..",
  "../other",
  "packages/../..",
  "packages/..",
  ".",
  "./packages",
  "packages/",
  "packages//cart",
  "packages\\cart",
  "..\\other",
  "pack\0ages",
  "a".repeat(1025),
])("%j is neither", (text) => expect(isFolderBelowRoot(text)).toBe(false));

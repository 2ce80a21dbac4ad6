import { expect, test } from "vitest";
import { foldersUpFrom, globFrom, isFolderBelowRoot } from "./folder.ts";

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
])("%j is neither the root nor a folder below it", (text) => expect(isFolderBelowRoot(text)).toBe(false));

test("folders are told upwards, the root last", () => {
  expect(foldersUpFrom("packages/cart/src")).toEqual(["packages/cart/src", "packages/cart", "packages", ""]);
  expect(foldersUpFrom("")).toEqual([""]);
});

test.each([
  ["", "test/**", "test/**"],
  ["", "../x", "../x"],
  ["packages/cart", "test/**", "packages/cart/test/**"],
  ["packages/cart", "./test", "packages/cart/test"],
  ["packages/cart", ".//test", "packages/cart/test"],
  ["packages/cart", ".", "packages/cart"],
  ["packages/cart", "..", "packages"],
  ["packages/cart", "../..", "."],
  ["packages/cart", "../../x", "x"],
  ["packages/cart", "../shop/./x", "packages/shop/./x"],
  ["packages/cart", "...", "packages/cart/..."],
  ["packages/cart", "..x/y", "packages/cart/..x/y"],
  ["packages/@acme", "*.js", "packages/@acme/*.js"],
  ["app/[slug]/(shop)", "*.js", "app/\\[slug\\]/\\(shop\\)/*.js"],
])("in %j the glob %j is %j of the root", (folder, glob, ofRoot) =>
  expect(globFrom(folder, glob)).toBe(ofRoot),
);

test.each(["", "/etc/**", "C:/x", "!src/**", "../../../x"])(
  "what is no glob of a project stays for the reader to refuse: %j",
  (glob) => expect(globFrom("packages/cart", glob)).toBe(glob),
);

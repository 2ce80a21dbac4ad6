import { ownObject, parseJson } from "./parts/json-part.ts";
import { below, folderOf, foldersUpwards } from "./project-path.ts";
import { want, type Survey } from "./survey.ts";

const IMPORTED = /\b(?:from|import|require\s*\(|import\s*\()\s*["']([^"'\n]{1,200})["']/g;

/** What a package.json says about where a test's imports lead: `#name`, or the package's own name. */
export async function wantResolution(survey: Survey, test: string, text: string): Promise<void> {
  const imported = [...text.matchAll(IMPORTED)].map(([, name = ""]) => name);
  const asked = imported.filter((name) => !/^[./]|^node:/.test(name));
  if (asked.length === 0) return;
  const manifest = foldersUpwards(folderOf(test))
    .map((folder) => below(folder, "package.json"))
    .find((path) => survey.has.has(path));
  if (manifest === undefined) return;
  const { name: own } = ownObject(parseJson((await survey.files.read(manifest)) ?? ""));
  if (asked.some((name) => name.startsWith("#"))) want(survey, "input", manifest, "imports");
  if (typeof own === "string" && asked.some((name) => name === own || name.startsWith(`${own}/`)))
    for (const part of ["exports", "main"]) want(survey, "input", manifest, part);
}

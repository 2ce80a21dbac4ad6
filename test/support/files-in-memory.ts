import { createHash } from "node:crypto";
import type { DefiningFiles } from "../../src/verify/definitions/project-files.ts";

/** A small project, by path. What is no text is written as JSON. */
export function filesInMemory(project: Readonly<Record<string, string | object>>): DefiningFiles {
  const texts = new Map(
    Object.entries(project).map(([path, content]) => [
      path,
      typeof content === "string" ? content : JSON.stringify(content),
    ]),
  );
  return {
    paths: [...texts.keys()],
    read: async (path) => texts.get(path) ?? null,
    digest: async (path) => {
      const text = texts.get(path);
      return text === undefined ? null : createHash("sha256").update(text).digest("hex");
    },
  };
}

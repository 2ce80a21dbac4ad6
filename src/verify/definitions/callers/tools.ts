import { ownObject, parseJson } from "../parts/json-part.ts";
import { below, folderOf, foldersUpwards, pathIn, spellings } from "../project-path.ts";
import { configured } from "../tools/configured.ts";
import { toolOf } from "../tools/tools.ts";
import type { Tool } from "../tools/tool.ts";
import { NODE_SURROUNDINGS } from "../tools/javascript.ts";
import { PYTHON_SURROUNDINGS } from "../tools/python.ts";
import { want, type Call, type Survey } from "../survey.ts";
import { wantPreloads } from "./interpreters.ts";
import { isTestPath } from "../judge-names.ts";
import { definesTests } from "../source-with-tests.ts";
import { extendedConfigs } from "../tools/extended-configs.ts";
import { namedPaths } from "./named-paths.ts";

/** A known tool: its configuration and the tests it runs. False: not a known tool. */
export async function readTool(call: Call, survey: Survey): Promise<boolean> {
  const tool = toolOf(call.program, call.words.slice(1));
  if (tool === null) return false;
  wantSurroundings(tool, call, survey);
  wantPreloads(survey, call.words, call.folder);
  const named = namedPaths(call, survey);
  for (const path of named.config) want(survey, "config", path);
  const files = configFiles(tool, call.folder);
  for (const path of files) want(survey, "config", path);
  for (const [file, part] of partsOf(tool, call.folder)) want(survey, "config", file, part);
  if (tool.anywhere !== undefined) survey.anywhere.set(tool.anywhere.source, tool.anywhere);
  const present = [...files, ...named.config, ...partsOf(tool, call.folder).map(([file]) => file)];
  for (const path of await extendedConfigs(present, survey)) want(survey, "config", path);
  if (tool.tests === null) {
    if (tool.wraps === true) return true;
    survey.judgesSource = true;
    const scope = named.scope.length > 0 ? named.scope : await includedBy(present, survey);
    for (const path of scope) if (path !== "") survey.lookedAt.add(path);
    return true;
  }
  const said = await configured(present, survey);
  for (const path of said.setup) want(survey, isTestPath(path) ? "test" : "config", path);
  const inline =
    tool.inline !== undefined &&
    (tool.inline.test(call.words.join(" ")) || said.texts.some((text) => tool.inline?.test(text)));
  for (const path of named.explicit) {
    if (!inline || isTestPath(path) || definesTests(path, tool.tests, (await survey.files.read(path)) ?? ""))
      want(survey, "test", path);
  }
  survey.runs.push({
    family: tool.tests,
    folder: call.folder,
    scope: named.scope,
    globs: [...named.globs, ...said.globs],
    inline,
  });
  return true;
}

/** What the `include` of a tsconfig.json covers, up to its first pattern. */
async function includedBy(configs: readonly string[], survey: Survey): Promise<readonly string[]> {
  const found: string[] = [];
  for (const config of new Set(configs.filter((path) => /(?:^|\/)tsconfig[\w.-]*\.json$/.test(path)))) {
    const { include } = ownObject(parseJson((await survey.files.read(config)) ?? ""));
    for (const each of Array.isArray(include) ? (include as unknown[]) : []) {
      if (typeof each !== "string") continue;
      const path = pathIn(folderOf(config), each.replace(/(?:^|\/)[^/]*[*?{[].*$/, ""), survey.root);
      if (path !== null) found.push(path);
    }
  }
  return found;
}

function wantSurroundings(tool: Tool, { folder }: Call, survey: Survey): void {
  const names =
    tool.tests === "javascript" ? NODE_SURROUNDINGS : tool.tests === "python" ? PYTHON_SURROUNDINGS : [];
  for (const each of foldersUpwards(folder))
    for (const name of names) want(survey, "config", below(each, name));
}

function configFiles(tool: Tool, folder: string): readonly string[] {
  const names = (tool.files ?? []).flatMap(spellings);
  return foldersUpwards(folder).flatMap((each) => names.map((name) => below(each, name)));
}

function partsOf(tool: Tool, folder: string): readonly (readonly [path: string, part: string])[] {
  return foldersUpwards(folder).flatMap((each) =>
    (tool.parts ?? []).map(([file, part]) => [below(each, file), part] as const),
  );
}

import { nameOf } from "./project-files.ts";
import { ownObject, parseJson } from "./parts/formats.ts";

const OF_NODE = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
const OF_PHP = ["require", "require-dev"];
const TOML_TABLE = /^\s*\[+\s*([^\]\n]{1,200}?)\s*\]+/;
const TOML_KEY = /^\s*["']?([\w.-]{1,100})["']?\s*=/;
const TOML_LIST = /^[ \t]*[\w-]*dependencies[ \t]*=[ \t]*\[([^\]]{0,20000})\]/gm;
const REQUIREMENT = /^[ \t]*["']?([A-Za-z][\w.-]{0,100})/;

/** What a manifest says the project depends on, by name; empty for any other file. */
export function dependencyNames(path: string, text: string): ReadonlySet<string> {
  const name = nameOf(path);
  if (name === "package.json") return new Set(keysOf(text, OF_NODE));
  if (name === "composer.json") return new Set(keysOf(text, OF_PHP));
  if (name.endsWith(".toml") && /^(?:Cargo|pyproject|Pipfile)/.test(name)) return new Set(inToml(text));
  if (name === "Pipfile") return new Set(inToml(text));
  if (/^requirements[\w.-]*\.txt$/.test(name)) return new Set(text.split("\n").flatMap(requirement));
  if (name === "go.mod") return found(text, /^\s*(?:require\s+)?([\w.-]+\.[\w./-]+)\s+v\d/gm);
  if (name === "Gemfile") return found(text, /^\s*gem\s+["']([\w-]+)["']/gm);
  if (name === "pom.xml")
    return found(text, /<dependency>\s*<groupId>[^<]{1,200}<\/groupId>\s*<artifactId>([^<]{1,200})</g);
  if (/^build\.gradle(?:\.kts)?$/.test(name))
    return found(
      text,
      /^\s*\w*(?:[iI]mplementation|[aA]pi|[cC]ompile|[rR]untimeOnly)\w*[ \t(]+["']([\w.-]+:[\w.-]+)/gm,
    );
  return new Set();
}

function keysOf(text: string, parts: readonly string[]): readonly string[] {
  const manifest = ownObject(parseJson(text));
  return parts.flatMap((part) => Object.keys(ownObject(manifest[part])));
}

function inToml(text: string): readonly string[] {
  const names = [...text.matchAll(TOML_LIST)].flatMap(([, list = ""]) =>
    list.split(/[,\n]/).flatMap(requirement),
  );
  let isListed = false;
  for (const line of text.split("\n")) {
    const table = TOML_TABLE.exec(line)?.[1];
    if (table !== undefined) {
      isListed = /(?:^|[.-])(?:dependencies|packages)$/.test(table);
      const one = /dependencies\.["']?([\w.-]+)["']?$/.exec(table)?.[1];
      if (one !== undefined) names.push(one);
    } else if (isListed) names.push(...(TOML_KEY.exec(line)?.slice(1, 2) ?? []));
  }
  return names;
}

function requirement(line: string): readonly string[] {
  return (REQUIREMENT.exec(line)?.slice(1, 2) ?? []).map((name) =>
    name.toLowerCase().replaceAll(/[_.]/g, "-"),
  );
}

function found(text: string, pattern: RegExp): ReadonlySet<string> {
  return new Set([...text.matchAll(pattern)].map(([, name = ""]) => name));
}

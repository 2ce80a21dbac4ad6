/** The hash that names objects. */
export type ObjectHash = "sha1" | "sha256";

/** From a repository's own `config`: git reads these settings only from that file, never from an included one. */
export interface RepositoryFormat {
  readonly hash: ObjectHash;
  /** No extension that changes where refs are or what they look like. */
  readonly hasPlainRefs: boolean;
}

const HARMLESS = /^\s*(?:objectformat|partialclone|worktreeconfig)\s*=[^\\]*$/i;

export function repositoryFormat(config: string): RepositoryFormat {
  const versions = [...config.matchAll(/repositoryformatversion[ \t]*=[ \t]*(.*)/gi)].map(
    ([, value]) => value,
  );
  const [, ...sections] = config.split(/\[\s*extensions\b.*?\]/i);
  const extensions = sections.flatMap((rest) => (rest.split("[")[0] ?? "").split("\n"));
  return {
    hash: extensions.some((line) => /^\s*objectformat\s*=\s*"?sha256\b/i.test(line)) ? "sha256" : "sha1",
    hasPlainRefs:
      versions.every((version) => version === "0" || version === "1") &&
      extensions.every((line) => line.trim() === "" || HARMLESS.test(line)),
  };
}

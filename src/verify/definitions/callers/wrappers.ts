import { pathIn } from "../project-files.ts";
import { callOf, want, type Call, type Reader } from "../survey.ts";

/** Programs that run the rest of their arguments, with their options that take a value. */
const WRAPPERS = table({
  "nohup command builtin setsid pnpx cross-env cross-env-shell chronic": "",
  env: "-u --unset -C --chdir",
  time: "-f -o",
  nice: "-n",
  ionice: "-c -n",
  sudo: "-u -g",
  exec: "-a",
  stdbuf: "-o -e -i",
  "timeout gtimeout": "-k --kill-after -s --signal",
  "xvfb-run": "-n -s -e",
  xargs: "-n -P -I -L -d",
  "npx bunx": "-p --package",
  dotenv: "-e -c -v",
  c8: "-r --reporter -o --reports-dir -c --config -x --exclude -n --include --src --extension --temp-directory",
  nyc: "-r --reporter -x --exclude -n --include --cwd -e --extension -i --require --temp-dir -t --report-dir",
  strace: "-o -e",
  flock: "-w -E",
  retry: "-t",
});

/** Programs that run the rest of their arguments after a subcommand. */
const RUN_WORDS = table({
  "uv poetry pipenv pdm rye hatch conda micromamba pixi coverage dotenvx doppler": "run",
  "bundle direnv asdf opam stack": "exec",
  mise: "exec x",
});

/** By each name of a line, the words beside it. */
function table(lines: { readonly [names: string]: string }): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(lines).flatMap(([names, words]) =>
      names.split(" ").map((name) => [name, words.split(" ")] as const),
    ),
  );
}

const VALUED = new Set(
  "-p --python --with --extra --group --package --project --directory -C -n --name -f --env-file --source --omit --include --rcfile -e --prefix".split(
    " ",
  ),
);
/** Arguments before the wrapped program that aren't options: a time limit, a lock file, a folder. */
const LEADING_WORDS: ReadonlyMap<string, number> = new Map(
  Object.entries({ timeout: 1, gtimeout: 1, flock: 1, direnv: 1 }),
);

export const readWrapper: Reader = async (call, survey, follow) => {
  const { program, words } = call;
  const runWord = RUN_WORDS.get(program)?.find((word) => words.includes(word));
  const options = WRAPPERS.get(program);
  if (runWord === undefined && options === undefined) return false;
  const args = runWord === undefined ? words.slice(1) : words.slice(words.indexOf(runWord) + 1);
  const folder = folderOption(call, survey.root);
  for (const file of optionValues(words, ["--env-file", "-e"])) {
    const path = pathIn(folder, file, survey.root);
    if (path !== null && /env/.test(file)) want(survey, "config", path);
  }
  const rest = withoutOptions(
    args,
    (word) => (options ?? []).includes(word) || (runWord !== undefined && VALUED.has(word)),
    !LEADING_WORDS.has(program),
  );
  const inner = rest.slice(LEADING_WORDS.get(program) ?? 0);
  if (program === "coverage" && args.includes("-m"))
    inner.splice(0, inner.length, ...args.slice(args.indexOf("-m") + 1));
  const next = callOf(inner, folder);
  if (next !== null) await follow({ ...next, isCompared: call.isCompared === true });
  return true;
};

function withoutOptions(
  args: readonly string[],
  takesWord: (option: string) => boolean,
  hasNumbers: boolean,
): string[] {
  let at = 0;
  while (at < args.length) {
    const word = args[at] ?? "";
    if (word === "--") return args.slice(at + 1);
    if (/^[A-Za-z_]\w*=/.test(word)) at += 1;
    else if (word.startsWith("-")) at += takesWord(word) ? 2 : 1;
    // No program is called by a number: `--lines 90 mocha`.
    else if (hasNumbers && at > 0 && /^\d+(?:\.\d+)?$/.test(word)) at += 1;
    else break;
  }
  return args.slice(at);
}

/** `-C DIR` and the like: where the rest runs. */
function folderOption({ words, folder }: Call, root: string | null): string {
  const named = optionValues(words, ["-C", "--directory", "--project", "--chdir", "--prefix"])[0];
  return named === undefined ? folder : (pathIn(folder, named, root) ?? folder);
}

/** The values of options, as `--name value` or `--name=value`. */
export function optionValues(words: readonly string[], names: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    if (names.includes(word)) return words[at + 1] ?? [];
    const name = names.find((each) => each.startsWith("--") && word.startsWith(`${each}=`));
    return name === undefined ? [] : word.slice(name.length + 1);
  });
}

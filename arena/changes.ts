import { DIALECTS } from "./runners/dialects.ts";
import { splitFile, type Dialect } from "./runners/dialect.ts";
import { remove, run, write, writes, type Edit } from "./script.ts";
import { solvedSource, textOf, type Assignment, type Task } from "./task.ts";

export const dialectOf = (task: Task): Dialect => DIALECTS[task.runner];

/** The reference solution, built where the task is built. */
export function solve(task: Task): readonly Edit[] {
  return [...writes(task.solution), ...setUp(task)];
}

export function setUp(task: Assignment): readonly Edit[] {
  return task.setup === undefined ? [] : [run(task.setup)];
}

/** The test file with each test changed, or, by null, taken out; `null` where that changes nothing. */
export function changeTests(
  task: Task,
  change: (test: string, dialect: Dialect, name: string) => string | null,
  which: "failing" | "all" = "failing",
): readonly Edit[] | null {
  const dialect = dialectOf(task);
  const { head, tests } = splitFile(dialect, textOf(task, task.tests));
  const changed = tests.map(({ name, text }) =>
    which === "all" || task.failing.includes(name) ? change(text, dialect, name) : text,
  );
  if (tests.every(({ text }, index) => text === changed[index])) return null;
  return [write(task.tests, dialect.imports + head + changed.filter((text) => text !== null).join(""))];
}

/** The test file without those that fail; null where none would be left. */
export function withoutFailing(task: Task): readonly Edit[] | null {
  const { tests } = splitFile(dialectOf(task), textOf(task, task.tests));
  const isLeft = tests.some(({ name }) => !task.failing.includes(name));
  return task.failing.length > 0 && isLeft ? changeTests(task, () => null) : null;
}

/** Of the failing tests, copies under another name, with what they import. */
export function furtherTests(task: Task): { readonly head: string; readonly tests: string } | null {
  const dialect = dialectOf(task);
  const { head, tests } = splitFile(dialect, textOf(task, task.tests));
  // A snapshot belongs to the name of its test.
  const copied = tests.findLast(({ text }) => !text.includes("Snapshot"));
  if (copied === undefined) return null;
  return { head, tests: dialect.renamed(copied.text, dialect.nameFor("does it once more")) };
}

/** The source with lines before it; null where there is none yet. */
export function sourceBehind(task: Task, lines: string): readonly Edit[] | null {
  const source = task.project.get(task.source);
  return source === undefined ? null : [write(task.source, lines + source)];
}

/** The right source, which throws unless a shell's condition holds. */
export function solvedWhile(task: Task, condition: string): readonly Edit[] | null {
  return task.built !== undefined || task.kind === "output"
    ? null
    : [write(task.source, dialectOf(task).failsUnless(condition) + solvedSource(task))];
}

/** The solution in a file of its own, which the source does not know. */
export function solutionAt(task: Task, path: string): Edit {
  return write(path, dialectOf(task).relocated(solvedSource(task), task.source, path));
}

/** Every file that imports the source imports another one instead. */
export function redirect(task: Task, to: string): readonly Edit[] {
  const { redirected } = dialectOf(task);
  return [...task.project, ...task.solution]
    .filter(([path]) => path !== task.source)
    .flatMap(([path, text]) => {
      const changed = redirected(text, path, task.source, to);
      return changed === text ? [] : [write(path, changed)];
    });
}

/** The solved source in its new place, with the imports of all others. */
export function moveSource(task: Task): readonly Edit[] | null {
  if (task.moved === undefined) return null;
  return [
    ...writes(task.solution),
    remove(task.source),
    solutionAt(task, task.moved),
    ...redirect(task, task.moved),
  ];
}

/** The line behind `npm test` or `make test`, changed; null where the check calls the runner itself. */
export function changeScript(task: Task, change: (line: string) => string): readonly Edit[] | null {
  const manifest = task.project.get("package.json");
  if (manifest !== undefined) {
    return [
      write(
        "package.json",
        manifest.replace(/("test": ")([^"]+)"/, (_, key: string, line: string) => `${key}${change(line)}"`),
      ),
    ];
  }
  const makefile = task.project.get("Makefile");
  return makefile === undefined
    ? null
    : [
        write(
          "Makefile",
          makefile.replace(/^\t(.*)$/m, (_, line: string) => `\t${change(line)}`),
        ),
      ];
}

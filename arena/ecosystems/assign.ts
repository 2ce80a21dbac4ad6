import type { Way } from "../ending.ts";
import { remove, right, run, write, wrong, type Edit, type Script } from "../script.ts";
import type { Assignment, Files } from "../task.ts";
import type { Change, Cheat, Ecosystem, Work } from "./ecosystem.ts";
import { KINDS } from "./kinds.ts";
import { MECHANISMS, type Description } from "./mechanisms.ts";

/** One agent's way through one work of an ecosystem. */
export interface Assigned {
  readonly task: Assignment;
  readonly ending: Way;
  readonly how?: string;
  readonly script: Script;
}

const HONEST = waysOf(KINDS, "honest");
const DISHONEST = waysOf(MECHANISMS, "mechanisms");

function waysOf(
  described: { readonly [name: string]: Description },
  family: Way["family"],
): ReadonlyMap<string, Way> {
  return new Map(
    Object.entries(described).map(([name, { what, outOfReach }]) => [
      name,
      { name, what, family, ...outOfReach },
    ]),
  );
}

export function assign(ecosystem: Ecosystem): readonly Assigned[] {
  return ecosystem.works.flatMap((work) => {
    const task = assignmentOf(ecosystem, work);
    return [
      {
        task,
        ending: wayOf(HONEST, work.kind),
        script: { turns: [right(editsOf(task.project, work.honest))] },
      },
      ...work.cheats.map((cheat) => cheatWith(task, cheat)),
    ];
  });
}

function assignmentOf({ name, check, project }: Ecosystem, { kind, spec, opening = {} }: Work): Assignment {
  return {
    name: `${name} ${kind}`,
    ecosystem: name,
    spec,
    check,
    project: changed(new Map(Object.entries(project)), opening),
    holdout: null,
  };
}

function cheatWith(task: Assignment, { mechanism, how, files = {}, run: line }: Cheat): Assigned {
  const edits = [...editsOf(task.project, files), ...(line === undefined ? [] : [run(line)])];
  return { task, ending: wayOf(DISHONEST, mechanism), how, script: { turns: [wrong(edits)] } };
}

function wayOf(ways: ReadonlyMap<string, Way>, name: string): Way {
  const way = ways.get(name);
  if (way === undefined) throw new Error(`nothing is called ${name}`);
  return way;
}

function changed(files: Files, change: Change): Files {
  const after = new Map(files);
  for (const edit of editsOf(files, change)) {
    if ("write" in edit) after.set(edit.write, edit.text);
    else if ("remove" in edit) after.delete(edit.remove);
  }
  return after;
}

/** A change that changes nothing is a slip of whoever wrote it. */
function editsOf(files: Files, change: Change): readonly Edit[] {
  return Object.entries(change).map(([path, to]) => {
    const before = files.get(path);
    if (before === undefined && typeof to !== "string") throw new Error(`there is no ${path} to change`);
    const text = typeof to === "function" ? to(before ?? "") : to;
    if (text === before) throw new Error(`${path} stays as it is`);
    return text === null ? remove(path) : write(path, text);
  });
}

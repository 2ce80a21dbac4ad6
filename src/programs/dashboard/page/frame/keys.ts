import { signal } from "@preact/signals";
import { detail, exported, go, mayAct, route } from "../data/state.ts";
import { close, dialog, start } from "../dialog/open-dialog.ts";
import { mainAction, subjectOf } from "../dialog/subject.ts";
import { chosen, find, isFinding, menu, needing } from "../home/shown-loops.ts";

export const areKeysShown = signal(false);
let isGoing = false;

/** Everything that can be pressed can be typed. */
export function listenToKeys(findLoops: () => void): void {
  addEventListener("keydown", (event) => {
    const isTyping =
      event.target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === "Escape") return escape(isTyping);
    if (isTyping || event.metaKey || event.ctrlKey || event.altKey || dialog.value !== null) return;
    const wasGoing = isGoing;
    isGoing = false;
    if (wasGoing) return goTo(event.key);
    const did = typed(event.key, findLoops);
    if (did) event.preventDefault();
  });
}

function escape(isTyping: boolean): void {
  if (dialog.value !== null) return close();
  if (areKeysShown.value) {
    areKeysShown.value = false;
    return;
  }
  if (menu.value !== null) {
    menu.value = null;
    return;
  }
  if (isTyping || find.value !== "") {
    find.value = "";
    isFinding.value = false;
    (document.activeElement as HTMLElement | null)?.blur();
    return;
  }
  if (exported !== null) return;
  const { view, key } = route.value;
  if (view === "loop") go("/");
  else if (view !== "home") go(`/l/${key ?? ""}`);
}

function goTo(key: string): void {
  const { key: loop } = route.value;
  if (key === "h") go("/");
  if (loop !== null && key === "r") go(`/l/${loop}/review`);
  if (loop !== null && key === "l") go(`/l/${loop}/log`);
}

function typed(key: string, findLoops: () => void): boolean {
  switch (key) {
    case "?":
      areKeysShown.value = true;
      return true;
    case "/":
      if (exported === null) findLoops();
      return true;
    case "g":
      isGoing = true;
      return true;
    case "j":
    case "k":
      return move(key === "j" ? 1 : -1);
    case "[":
    case "]":
      return moveIteration(key === "]" ? 1 : -1);
    case "a":
      return act();
    case "u":
      return undo();
    case "m":
      return openMenu();
    case "Enter":
      return openChosen();
    default:
      return false;
  }
}

function move(by: number): boolean {
  if (route.value.view !== "home") return false;
  const { length } = needing.value;
  if (length === 0) return false;
  chosen.value = Math.max(0, Math.min(length - 1, chosen.value + by));
  document.querySelector(`[data-row="${chosen.value}"]`)?.scrollIntoView({ block: "nearest" });
  return true;
}

function openChosen(): boolean {
  // A link or a button that has the focus opens itself.
  if (route.value.view !== "home" || document.activeElement !== document.body) return false;
  const row = needing.value[chosen.value];
  if (row !== undefined) go(`/l/${row.key}`);
  return row !== undefined;
}

function subject(): ReturnType<typeof subjectOf> | null {
  if (route.value.view === "home") return needing.value[chosen.value] ?? null;
  return detail.value === null ? null : subjectOf(detail.value.key, detail.value.view);
}

function act(): boolean {
  const about = subject();
  const main = about === null ? null : mainAction(about);
  if (about === null || main === null || !mayAct.value) return false;
  start(main.what, about);
  return true;
}

/** What else can be done, with the focus on the first of it. */
function openMenu(): boolean {
  const row = needing.value[chosen.value];
  if (route.value.view !== "home" || row === undefined) return false;
  menu.value = row.key;
  setTimeout(() => document.querySelector<HTMLElement>(".menu button:not([disabled]), .menu a")?.focus(), 0);
  return true;
}

function undo(): boolean {
  const view = detail.value?.view;
  const last = view?.iterations.findLast(({ checkpoint }) => checkpoint !== null);
  const about = subject();
  if (
    route.value.view === "home" ||
    view === undefined ||
    last === undefined ||
    about === null ||
    !mayAct.value
  )
    return false;
  if (view.phase === "active" || view.workflow !== null) return false;
  start("undo", about, { iteration: last.iteration });
  return true;
}

function moveIteration(by: number): boolean {
  const all = detail.value?.view.iterations ?? [];
  if (route.value.view !== "loop" || all.length === 0) return false;
  const at = all.findIndex(({ iteration }) => iteration === route.value.iteration);
  const next =
    all[Math.max(0, Math.min(all.length - 1, at === -1 ? (by > 0 ? 0 : all.length - 1) : at + by))];
  if (next === undefined) return false;
  location.hash = `i${next.iteration}`;
  return true;
}

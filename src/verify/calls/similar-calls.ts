import { isOrdinary, neighbourOf, SIMILAR, type Similar } from "../answers/neighbours.ts";
import { leavesOf, listsOf, isPlain, type RecordedValue, type ValuePath } from "./recorded-value.ts";
import type { RecordedCall } from "./recorded-calls.ts";

/** One value of a call, and what it becomes. */
export interface OtherValue {
  readonly path: ValuePath;
  readonly from: string;
  readonly how: Similar;
  readonly value: RecordedValue;
}

const MOST_LEAVES = 8;
const MOST_VALUES = 60;
const SHORTEST_LIST = 2;

/** What a call is given, in other ways. `isExcused`: a value says nothing. `isRefused`: another value may do harm. */
export function othersOf(
  { args, named }: RecordedCall,
  isExcused: (content: string) => boolean,
  isRefused: (other: string) => boolean,
): readonly OtherValue[] {
  const leaves = [...leavesOf(args), ...leavesOf(named)]
    .map(({ path, value }) => ({ path, value, content: String(value).replace(/^-(?=\d)/, "") }))
    .filter(({ content }) => isOrdinary(content) && !isExcused(content))
    .slice(0, MOST_LEAVES);
  const usable = new Set(leaves.map(({ path }) => JSON.stringify(path)));
  const changed = SIMILAR.flatMap((how) =>
    leaves.flatMap(({ path, value, content }): readonly OtherValue[] => {
      const other = neighbourOf(content, how);
      if (other === null || isRefused(other)) return [];
      const sign = typeof value === "number" && value < 0 ? -1 : 1;
      return [{ path, from: content, how, value: typeof value === "number" ? sign * Number(other) : other }];
    }),
  );
  const lists = [...listsOf(args), ...listsOf(named)].flatMap(({ path, items, kind }) => {
    const own = items.filter((_, at) => usable.has(JSON.stringify([...path, at])));
    if (path.length === 0 || items.length < SHORTEST_LIST || own.length * 2 <= items.length) return [];
    if (!items.every(isPlain)) return [];
    const from = JSON.stringify(items);
    const orders: readonly (readonly [Similar, readonly RecordedValue[]])[] = [
      ["other-order", items.toReversed()],
      ["shorter", items.slice(0, -1)],
      ["longer", [...items, ...items.slice(0, 1)]],
    ];
    return orders.map(([how, list]): OtherValue => ({
      path,
      from,
      how,
      value: kind === "l" ? { l: list } : { t: list },
    }));
  });
  const unique = new Map(
    [...lists, ...changed].map((each) => [JSON.stringify([each.path, each.value]), each]),
  );
  return [...unique.values()].slice(0, MOST_VALUES);
}

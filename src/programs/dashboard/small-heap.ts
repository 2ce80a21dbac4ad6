import { setFlagsFromString } from "node:v8";

/**
 * For a program that stays for days and has little to do: V8 makes room for garbage as if it came all day at the pace of the busiest
 * minute, and gives that room back only when it is idle. So its young generation keeps its first size, and the old one is collected as soon as it
 * has grown a little. Both are read at each collection; a V8 that no longer knows one of them leaves it.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--optimize-for-size");
}

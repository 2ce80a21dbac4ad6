import {
  aroundCalls,
  LONGEST_KEY,
  MOST_PARTS,
  MOST_WRITTEN,
  type Asking,
  type CallDialect,
} from "./asking.ts";

/** Longer results are cut: they differ before, or not at all. */
const LONGEST = 4_000;
/** A call that is slow, or never ends with some value, must not take the check's time. */
const LONGEST_MS = 3_000;

/** What they offer reaches beyond the project: it is no work, and deletes, sends or starts something else with another value. */
const OF_THE_SYSTEM = [
  "child_process",
  "cluster",
  "dgram",
  "fs",
  "fs/promises",
  "http",
  "https",
  "net",
  "process",
  "stream",
  "worker_threads",
];

/** A function declaration at the end of the file is there from its beginning, also above imports. */
function helper({ path, nonce, asked }: Asking): string {
  return `
;function ${nonce}(site, target, name) {
  const own = ${nonce};
  own.state ??= { asked: new Set(), busy: false, spent: 0, written: 0, plan: ${JSON.stringify(JSON.stringify(asked))} };
  const state = own.state;
  if (typeof state.plan === "string") state.plan = JSON.parse(state.plan);
  const system = (module) => globalThis.process.getBuiltinModule(module);
  const call = arguments.length === 3 ? target[name] : target;
  const self = arguments.length === 3 ? target : undefined;
  const write = (...words) => {
    try {
      const line = JSON.stringify(words) + "\\n";
      state.written += line.length;
      if (state.written <= ${MOST_WRITTEN}) system("node:fs").appendFileSync(${JSON.stringify(path)}, line);
    } catch {}
  };
  const systems = () => {
    const found = new Set([globalThis.fetch]);
    for (const each of ${JSON.stringify(OF_THE_SYSTEM)}.flatMap((module) => Object.values(system("node:" + module)))) {
      if (typeof each !== "function") continue;
      found.add(each);
      for (const { value } of Object.values(Object.getOwnPropertyDescriptors(each.prototype ?? {}))) found.add(value);
    }
    return found;
  };
  const isTable = (value) => [Object.prototype, null].includes(Object.getPrototypeOf(value)) || Object.prototype.toString.call(value) === "[object Object]" && value.constructor?.name === "Object";
  let parts = 0;
  const record = (value, depth = 0) => {
    if ((parts += 1) > ${MOST_PARTS}) throw new Error("too much to write down");
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (depth < 6 && Array.isArray(value)) return { l: value.map((each) => record(each, depth + 1)) };
    if (depth < 6 && typeof value === "object" && isTable(value)) return { d: Object.entries(value).map(([key, each]) => [key, record(each, depth + 1)]) };
    return { o: typeof value };
  };
  const copy = (value, depth = 0) => {
    if (depth < 7 && Array.isArray(value)) return value.map((each) => copy(each, depth + 1));
    if (depth < 7 && value !== null && typeof value === "object" && isTable(value)) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copy(each, depth + 1)]));
    return value;
  };
  const keyOf = (args) => {
    try {
      parts = 0;
      state.systems ??= systems();
      const key = state.systems.has(call) ? "" : JSON.stringify([site, record(args)]);
      return key.length <= ${LONGEST_KEY} ? key : "";
    } catch { return ""; }
  };
  const made = (value) => {
    if (value === null || typeof value !== "object") return value;
    if (value.d) return Object.fromEntries(value.d.map(([key, each]) => [key, made(each)]));
    return (value.l ?? value.t ?? []).map(made);
  };
  const shown = (value) => system("node:util").inspect(value, { depth: 8, maxArrayLength: 200, breakLength: Infinity }).slice(0, ${LONGEST});
  const failed = (error) => String(error?.name) + ": " + String(error?.message ?? error).slice(0, ${LONGEST});
  const tell = (id, other, run) => {
    try {
      const result = run();
      if (typeof result?.then === "function") result.then((value) => write(id, other, false, shown(value)), (error) => write(id, other, true, failed(error)));
      else write(id, other, false, shown(result));
    } catch (error) { write(id, other, true, failed(error)); }
  };
  return function (...args) {
    const key = state.busy ? "" : keyOf(args);
    if (key === "") return call.apply(self, args);
    const kept = copy(args);
    const isNew = !state.asked.has(key) && state.asked.size < 500;
    state.asked.add(key);
    let result;
    let thrown = null;
    try { result = call.apply(self, args); } catch (error) { thrown = { error }; }
    if (isNew) {
      const own = state.plan.filter((each) => each.key === key || each.sites.includes(site) && !state.asked.has(each.key));
      if (state.plan.length === 0) tell(site, [JSON.parse(key)[1], { d: [] }, key], () => { if (thrown) throw thrown.error; return result; });
      state.busy = true;
      const begun = Date.now();
      try {
        for (const each of own) {
          state.asked.add(each.key);
          const base = each.key === key ? kept : made(each.args);
          if (each.key === key) tell(each.id, -1, () => { if (thrown) throw thrown.error; return result; });
          else tell(each.id, -1, () => call.apply(self, copy(base)));
          for (const [at, [way, value]] of each.others.entries()) {
            if (state.spent + Date.now() - begun > ${LONGEST_MS}) break;
            const words = copy(base);
            let inner = words;
            for (const step of way.slice(0, -1)) inner = inner[step];
            inner[way.at(-1)] = made(value);
            tell(each.id, at, () => call.apply(self, words));
          }
        }
      } catch {} finally { state.busy = false; state.spent += Date.now() - begun; }
    }
    if (thrown) throw thrown.error;
    return result;
  };
}
`;
}

export const JAVASCRIPT_CALLS: CallDialect = {
  file: /\.[cm]?[jt]sx?$/,
  withCalls: ({ path, text }, sites, asking) => {
    const wrapped = aroundCalls(text, sites, ({ site, name, isMethod }) => ({
      before: `${asking.nonce}(${site}, `,
      name: isMethod ? `, ${JSON.stringify(name)})` : `${name})`,
    }));
    const isTyped = /tsx?$/.test(path);
    return `${isTyped ? "// @ts-nocheck\n" : ""}${wrapped}${helper(asking)}`;
  },
};

import { atBeginning } from "../definitions/injecting/dialects/python.ts";
import {
  aroundCalls,
  LONGEST_KEY,
  MOST_PARTS,
  MOST_WRITTEN,
  type Asking,
  type CallDialect,
} from "./asking.ts";

const LONGEST = 4_000;
const LONGEST_S = 3;

// `is_systems`: what Python's own library offers is no work, and deletes, sends or starts something else with another value.

function helper({ path, nonce, asked }: Asking): string {
  return `def ${nonce}(site, call):
    import copy, functools, inspect, json, os, re, sys, time
    own = ${nonce}
    if not hasattr(own, "plan"):
        own.plan, own.asked, own.busy, own.spent, own.written, own.parts = json.loads(${JSON.stringify(JSON.stringify(asked))}), set(), False, 0, 0, 0
    def write(*words):
        try:
            line = (json.dumps(words) + "\\n").encode()
            own.written += len(line)
            if own.written > ${MOST_WRITTEN}:
                return
            handle = os.open(${JSON.stringify(path)}, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            os.write(handle, line)
            os.close(handle)
        except BaseException:
            pass
    def is_systems(called):
        while isinstance(called, functools.partial):
            called = called.func
        name = getattr(called, "__module__", None) or type(getattr(called, "__self__", None)).__module__
        if name in sys.builtin_module_names:
            return True
        home = getattr(sys.modules.get(name), "__file__", None) or ""
        library = os.path.dirname(os.__file__) + os.sep
        return home.startswith(library) and not re.match("(site|dist)-packages", home[len(library):])
    def record(value, depth=0):
        own.parts += 1
        if own.parts > ${MOST_PARTS}:
            raise ValueError("too much to write down")
        if value is None or type(value) in (str, bool, int) or type(value) is float and value - value == 0 and value != int(value):
            return value
        if depth < 6 and type(value) in (list, tuple):
            return {"l" if type(value) is list else "t": [record(each, depth + 1) for each in value]}
        if depth < 6 and type(value) is dict and all(type(key) is str for key in value):
            return {"d": [[key, record(each, depth + 1)] for key, each in value.items()]}
        return {"o": repr(value) if type(value) is float else type(value).__name__}
    def key_of(args, named):
        try:
            own.parts = 0
            key = "" if is_systems(call) else json.dumps([site, record(list(args)), record(named)])
            return key if len(key) <= ${LONGEST_KEY} else ""
        except Exception:
            return ""
    def made(value):
        if type(value) is not dict:
            return value
        if "d" in value:
            return {key: made(each) for key, each in value["d"]}
        return [made(each) for each in value["l"]] if "l" in value else tuple(made(each) for each in value["t"])
    def copied(value):
        try:
            return copy.deepcopy(value)
        except BaseException:
            return value
    def changed(value, way, other):
        if not way:
            return float(other) if type(value) is float and type(other) is int else made(other)
        if type(value) is tuple:
            return tuple(changed(list(value), way, other))
        value = copy.copy(value)
        value[way[0]] = changed(value[way[0]], way[1:], other)
        return value
    def shown(value):
        return re.sub(r" at 0x[0-9a-f]+", "", repr(value))[:${LONGEST}]
    def tell(id, other, run):
        try:
            write(id, other, False, shown(run()))
        except Exception as error:
            write(id, other, True, (type(error).__name__ + ": " + str(error))[:${LONGEST}])
    def asking(*args, **named):
        if own.busy or inspect.iscoroutinefunction(call):
            return call(*args, **named)
        key = key_of(args, named)
        if key == "":
            return call(*args, **named)
        kept = copied((args, named))
        is_new = key not in own.asked and len(own.asked) < 500
        own.asked.add(key)
        result, thrown = None, None
        try:
            result = call(*args, **named)
        except Exception as error:
            thrown = error
        def again():
            if thrown is not None:
                raise thrown
            return result
        if is_new:
            if not own.plan:
                tell(site, [*json.loads(key)[1:], key], again)
            own.busy = True
            begun = time.monotonic()
            try:
                for each in own.plan:
                    if each["key"] != key and (site not in each["sites"] or each["key"] in own.asked):
                        continue
                    own.asked.add(each["key"])
                    base, words = (list(kept[0]), kept[1]) if each["key"] == key else (made(each["args"]), made(each["named"]))
                    if each["key"] == key:
                        tell(each["id"], -1, again)
                    else:
                        tell(each["id"], -1, lambda: call(*copied(base), **copied(words)))
                    for at, (way, value) in enumerate(each["others"]):
                        if own.spent + time.monotonic() - begun > ${LONGEST_S}:
                            break
                        is_named = type(way[0]) is str
                        others = copied(base) if is_named else changed(copied(base), way, value)
                        other_words = changed(copied(words), way, value) if is_named else copied(words)
                        tell(each["id"], at, lambda: call(*others, **other_words))
            except BaseException:
                pass
            finally:
                own.busy = False
                own.spent += time.monotonic() - begun
        if thrown is not None:
            raise thrown
        return result
    return asking`;
}

export const PYTHON_CALLS: CallDialect = {
  file: /\.py$/,
  withCalls: ({ text }, sites, asking) => {
    const wrapped = aroundCalls(text, sites, ({ site, name, isMethod }) => ({
      before: `${asking.nonce}(${site}, `,
      name: isMethod ? `.${name})` : `${name})`,
    }));
    return atBeginning(wrapped, `exec(${JSON.stringify(helper(asking))})`);
  },
};

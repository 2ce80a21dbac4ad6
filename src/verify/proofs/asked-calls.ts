import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Asking, AskedCall, CallDialect, NumberedSite } from "../calls/asking.ts";
import { callSitesIn } from "../calls/call-sites.ts";
import { JAVASCRIPT_CALLS } from "../calls/javascript-calls.ts";
import {
  contentOf,
  judgeCalls,
  type CallVerdict,
  type ChangedCall,
  type KnownSource,
} from "../calls/judged-calls.ts";
import { PHP_CALLS } from "../calls/php-calls.ts";
import { PYTHON_CALLS } from "../calls/python-calls.ts";
import { RUBY_CALLS } from "../calls/ruby-calls.ts";
import {
  ITSELF,
  readAnswers,
  readRecorded,
  type Answers,
  type RecordedCall,
} from "../calls/recorded-calls.ts";
import { isPlain, keysOf, leavesOf } from "../calls/recorded-value.ts";
import { othersOf, type OtherValue } from "../calls/similar-calls.ts";
import type { ReplacedFile } from "../baseline/replacements.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { folderOf, hasPassed } from "../checks/check-site.ts";
import { hasValue } from "../answers/literals.ts";
import { namesOutside } from "../answers/outside-places.ts";
import { createScratch, removeScratch, roomsFolder } from "../../system/room/scratch.ts";
import type { JudgingText } from "./chosen-statements.ts";
import type { SampleScene, Surroundings } from "./proof-site.ts";
import { runBounded } from "./bounded-run.ts";
import type { WorkValues } from "./work-values.ts";

const DIALECTS: readonly CallDialect[] = [JAVASCRIPT_CALLS, PYTHON_CALLS, RUBY_CALLS, PHP_CALLS];
const MOST_SITES = 200;
const MOST_CALLS = 60;
/** Nobody knows what a call with another value asks of a database or a service: none is in reach. Without such a room none is made. */
const OFFLINE: Surroundings = { without: [], fresh: { home: null, isOffline: true } };
/** One that writes the calls down, one that asks with the work, and one without it. */
const RUNS = 3;

export interface AskedWork {
  readonly scene: SampleScene;
  readonly named: NamedCheck;
  readonly tests: readonly JudgingText[];
  readonly work: WorkValues;
  /** The source as it was. */
  readonly opening: readonly ReplacedFile[];
}

export interface AccusedCalls extends CallVerdict {
  readonly tests: readonly string[];
}

/**
 * The calls of a test are made once more, in its own process, with many other values at once: with the work, and with the source as
 * it was. `innocent`: as far as can be told. `unknown`: its language can't be asked, its calls have no such values, or too little
 * was seen.
 */
export async function askCalls(asked: AskedWork): Promise<AccusedCalls | "innocent" | "unknown"> {
  const sites = numberedSites(asked);
  const { budget } = asked.scene;
  if (sites.length === 0 || budget.leftMs() < RUNS * budget.checksMs) return "unknown";
  const recorded = await withRun(asked, sites, { asked: [], others: [], passes: true }, readRecorded);
  const calls = callsToAsk(asked, sites, recorded ?? []).slice(0, MOST_CALLS);
  if (calls.length === 0) return "unknown";
  const plan = calls.map(({ call }) => call);
  const now = await withRun(asked, sites, { asked: plan, others: [] }, readAnswers);
  const before = now && (await withRun(asked, sites, { asked: plan, others: asked.opening }, readAnswers));
  return now === null || before === null ? "unknown" : judge(asked, sites, { calls, now, before });
}

interface SitesOfTest {
  readonly test: JudgingText;
  readonly dialect: CallDialect;
  readonly sites: readonly NumberedSite[];
}

function numberedSites({ tests, work }: AskedWork): readonly SitesOfTest[] {
  let site = 0;
  return tests.flatMap((test) => {
    const dialect = DIALECTS.find(({ file }) => file.test(test.path));
    if (dialect === undefined || site >= MOST_SITES) return [];
    const found = callSitesIn(test.path, test.text, work.names);
    return found.length === 0
      ? []
      : [{ test, dialect, sites: found.map((each): NumberedSite => ({ ...each, site: site++ })) }];
  });
}

async function withRun<Read>(
  { scene, named }: AskedWork,
  sites: readonly SitesOfTest[],
  {
    asked,
    others,
    passes = false,
  }: {
    readonly asked: readonly AskedCall[];
    readonly others: readonly ReplacedFile[];
    /** It says nothing unless the check passes. */
    readonly passes?: boolean;
  },
  read: (path: string) => Read,
): Promise<Read | null> {
  // Outside the project, so that no check sees a file that it doesn't expect.
  const scratch = await createScratch(roomsFolder(scene.machine.home));
  try {
    const path = join(scratch, randomBytes(8).toString("hex"));
    const asking: Asking = { path, nonce: `t${randomBytes(8).toString("hex")}`, asked };
    const replaced = sites.map(({ test, dialect, sites: own }): ReplacedFile => {
      const plan = asked.filter(({ site }) => own.some((each) => each.site === site));
      const text = dialect.withCalls(test, own, { ...asking, asked: plan });
      return { path: test.path, mode: test.mode, content: Buffer.from(text) };
    });
    const own = new Set(replaced.map((each) => each.path));
    const files = [...others.filter((each) => !own.has(each.path)), ...replaced];
    const run = await runBounded({ ...scene, surroundings: OFFLINE }, named, files);
    // What ran beside changes in the project says nothing.
    return "why" in run || (passes && !hasPassed(run.outcome)) ? null : read(path);
  } finally {
    await removeScratch(scratch);
  }
}

interface CallInPlan {
  readonly call: AskedCall;
  readonly recorded: RecordedCall;
  readonly others: readonly OtherValue[];
}

function callsToAsk(
  { scene, named: { check }, tests, work }: AskedWork,
  sitesOfTests: readonly SitesOfTest[],
  recorded: readonly RecordedCall[],
): readonly CallInPlan[] {
  const all = sitesOfTests.flatMap((each) => each.sites);
  const places = { root: scene.place.root, folder: folderOf(scene.site, check) };
  return recorded
    .flatMap((each): readonly Omit<CallInPlan, "call">[] => {
      const name = all.find(({ site }) => site === each.site)?.name ?? "";
      const isExcused = (content: string): boolean =>
        work.isExcused(content) || hasValue(scene.spec, content) || !isWrittenOnce(content, tests, name);
      const others = othersOf(each, isExcused, (other) => namesOutside(other, places));
      return others.length === 0 ? [] : [{ recorded: each, others }];
    })
    .map((each, id) => {
      const { site, key, args, named } = each.recorded;
      const own = all.find((one) => one.site === site);
      const isFree = own?.isFree === true && isPlain(args) && isPlain(named);
      const same = isFree ? all.filter((one) => one.isFree && one.called === own.called) : [];
      const values = each.others.map(({ path, value }) => [path, value] as const);
      const sites = same.map((one) => one.site);
      const call: AskedCall = { id, site, key, args, named, sites, others: values };
      return { ...each, call };
    });
}

/**
 * Whether the tests have a value beside the calls of that name once at most: what is stored first and looked up later says nothing
 * with another one. What none of them has comes from elsewhere.
 */
function isWrittenOnce(content: string, tests: readonly JudgingText[], name: string): boolean {
  const escaped = JSON.stringify(content).slice(1, -1);
  const lines = tests
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => line.includes(content) || line.includes(escaped));
  const elsewhere = lines.filter((line) => !line.includes(`${name}(`));
  return lines.length > 0 && elsewhere.length <= 1;
}

function judge(
  { work }: AskedWork,
  sites: readonly SitesOfTest[],
  {
    calls,
    now,
    before,
  }: { readonly calls: readonly CallInPlan[]; readonly now: Answers; readonly before: Answers },
): AccusedCalls | "innocent" | "unknown" {
  const byName = new Map<string, ChangedCall[]>();
  const answersOf = new Map<string, Set<string>>();
  const all = sites.flatMap((each) => each.sites);
  const nameAt = (at: number): string => all.find(({ site }) => site === at)?.name ?? "";
  const asked = new Set(calls.flatMap(({ call }) => (before.has(call.id) ? [nameAt(call.site)] : [])));
  for (const { call, recorded, others } of calls) {
    const own = now.get(call.id)?.get(ITSELF);
    const then = before.get(call.id)?.get(ITSELF) ?? null;
    if (own === undefined || own.isError || own.text === then?.text) continue;
    const name = nameAt(call.site);
    const answers = answersOf.get(name) ?? new Set();
    // What counts its calls gives something else the next time.
    answersOf.set(name, answers.add(own.text).add(recorded.outcome.text));
    // Without the work, this call was never reached.
    if (then === null && asked.has(name)) continue;
    if (work.hadBefore(contentOf(own.text))) continue;
    const seen = others.flatMap((other, at) => {
      const gave = now.get(call.id)?.get(at);
      const gaveBefore = before.get(call.id)?.get(at) ?? null;
      if (gave === undefined || (gaveBefore === null && then !== null)) return [];
      return [{ other, now: gave, before: gaveBefore }];
    });
    const given = [recorded.args, recorded.named].flatMap((each) => [
      ...leavesOf(each).map(({ value }) => String(value)),
      ...keysOf(each),
    ]);
    byName.set(name, [...(byName.get(name) ?? []), { name, given, now: own, before: then, others: seen }]);
  }
  const source: KnownSource = {
    mayHold: (answers) => work.mayHold(answers),
    has: (content) => work.has(content),
  };
  const seen = new Set<string>();
  for (const [name, changed] of byName) {
    const verdict = judgeCalls(changed, source, answersOf.get(name));
    if (typeof verdict === "string") seen.add(verdict);
    else {
      const tests = sites.filter((each) => each.sites.some((site) => site.name === name));
      return { ...verdict, tests: tests.map(({ test }) => test.path) };
    }
  }
  return seen.has("honest") || seen.has("undecided") ? "innocent" : "unknown";
}

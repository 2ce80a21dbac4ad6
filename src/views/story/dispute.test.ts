import { expect, test } from "vitest";
import { disputed } from "./dispute.ts";
import { isFalseClaim, Iterations } from "./iterations.ts";

let iterations: Iterations;

function take(...events: readonly object[]): void {
  for (const [index, event] of events.entries())
    iterations.take({ at: index + 1, event } as unknown as Parameters<Iterations["take"]>[0]);
}

const fails = (kind: string, ...files: readonly string[]): object => ({
  type: "proof.shown",
  name: "tests pass",
  proof: { kind, result: "fails", detail: null, files },
});

/** An iteration that claims to be done, with these proofs against it. */
function claims(iteration: number, ...proofs: readonly object[]): void {
  take(
    { type: "turn.launched", iteration, turn: `${iteration}-1`, checkpoint: null },
    { type: "exit.signalled" },
    ...proofs,
    { type: "iteration.held", iteration },
  );
}

const falseClaims = (): readonly number[] =>
  iterations
    .list()
    .filter(isFalseClaim)
    .map(({ iteration }) => iteration);

test("whoever approves the changed tests says that the claims which they failed were right", () => {
  iterations = new Iterations(() => null);
  claims(1, fails("judge", "test/vat.test.js"), fails("counts"));
  take({ type: "turn.launched", iteration: 2, turn: "2-1", checkpoint: null });
  take({ type: "iteration.held", iteration: 2 });
  claims(3, fails("judge", "test/vat.test.js"));
  expect(falseClaims()).toEqual([1, 3]);
  take({ type: "opening.approved", names: ["test/vat.test.js"] });
  expect(falseClaims()).toEqual([]);
  expect(iterations.list().map(({ dispute }) => dispute)).toEqual(["approved", undefined, "approved"]);
});

test("a claim with other tests than those approved, or that failed a holdout, stays false, and so does each before it", () => {
  iterations = new Iterations(() => null);
  claims(1, fails("judge", "test/vat.test.js"));
  claims(2, fails("judge", "test/cart.test.js"));
  claims(3, fails("judge", "test/vat.test.js"));
  take({ type: "opening.approved", names: ["test/vat.test.js"] });
  expect(falseClaims()).toEqual([1, 2]);
  claims(4, fails("judge", "test/vat.test.js"), fails("holdout"));
  take({ type: "opening.approved", names: ["test/vat.test.js"] });
  expect(falseClaims()).toEqual([1, 2, 4]);
});

test("while a person is asked, the claim is neither false nor shown", () => {
  iterations = new Iterations(() => null);
  claims(1, fails("holdout"));
  claims(2, fails("judge", "test/vat.test.js"));
  const asked = disputed(iterations.list(), "undecided");
  expect(asked.map(isFalseClaim)).toEqual([true, false]);
  expect(asked[1]?.contradiction?.by).toBe("judge");
});

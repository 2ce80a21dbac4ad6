import { stateHome } from "../store/state-home.ts";

/** The outside, as far as the use cases need it. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly home: string;
  readonly now: () => number;
  /** How long the caller waits for checks, and the program that goes on with them; without it, as long as they take. */
  readonly patience?: { readonly ms: number; readonly cli: string };
  /** Told before each check that runs. */
  readonly onCheck?: (name: string) => void;
  /** And after it. */
  readonly onChecked?: (name: string, passed: boolean) => void;
  /** Ends checks in the middle; nothing comes of them then. */
  readonly signal?: AbortSignal;
}

export function createMachine(env: NodeJS.ProcessEnv, cwd: string): Machine {
  return { env, cwd, home: stateHome(env), now: Date.now };
}

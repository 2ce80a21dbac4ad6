/** Where checks run, and what they are held to. */
export interface CheckSite {
  readonly root: string;
  readonly home: string;
  /** The loop's `evidence/`; outputs are kept there while it exists. */
  readonly evidenceFolder: string;
  readonly protects: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
  /** Told before each check and after it, for those who watch. */
  readonly onCheck?: (name: string) => void;
  readonly onChecked?: (name: string, passed: boolean) => void;
  /** Ends what runs in the middle, and whoever asked for it gets an error instead of evidence. */
  readonly signal?: AbortSignal;
}

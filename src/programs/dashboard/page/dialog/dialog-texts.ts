import type { Decision } from "../../decision.ts";
import type { OpenDialog } from "./asked-action.ts";

export function questionOf(
  { what, subject, iteration, finding, task }: OpenDialog,
  decision: Decision | null,
): string {
  const [file] = decision?.files ?? [];
  switch (what) {
    case "approve":
      return file === undefined ? "Approve what changed?" : `Approve ${file.path} as it is now?`;
    case "refuse":
      return "Have the original test restored?";
    case "undo":
      return `Undo iteration ${iteration ?? ""}?`;
    case "continue":
      if (subject.needs?.kind === "commit") return `Commit the work of ${subject.project}?`;
      return subject.needs?.kind === "undriven"
        ? `Start an agent on ${subject.project}?`
        : `Continue ${subject.project}?`;
    case "retry":
      return `Try ${task ?? "the task"} again?`;
    case "pause":
      return `Pause ${subject.project}?`;
    case "cancel":
      return `Cancel ${subject.project} for good?`;
    case "trust":
      return "Trust this loop on this machine?";
    case "resolve":
      return `What becomes of ${finding ?? "the finding"}?`;
  }
}

const CHANGES = {
  approve:
    "The opening moves for what is shown: from now on the changed tests judge the work. Only a person may say so.",
  refuse:
    "The agent's change is wrong. It is told so, and works on with the tests as they were at the opening.",
  undo: "These files go back to how they were before that iteration, the good changes with the bad. Commits, the index and ignored files stay. What is undone is kept, too.",
  continue: "It resumes where it stopped, with its breakers reset.",
  commit: "The work becomes the commit that was asked for. No agent works on it any more.",
  retry: "It gets another attempt. Tell it what to do differently: it failed in the same way each time.",
  pause: "The agent stops at once. Everything is kept, and it can continue later.",
  cancel: "It ends for good, and what it did stays in the files. Its record is kept.",
  trust: "Its commands may run from then on. These are all of them:",
  resolve: "A fix becomes a task of the plan. Accepted, the work stays as it is, and the risk is yours.",
} as const;

const LABELS = {
  approve: ["Approve and continue", "Approve only"],
  refuse: ["Restore and continue", null],
  undo: ["Undo and continue", "Undo only"],
  continue: ["Continue", null],
  commit: ["Commit it", null],
  retry: ["Try again", null],
  pause: ["Pause", null],
  cancel: ["Cancel the loop", null],
  trust: ["Trust it", null],
  resolve: ["Make it a task", "Accept the risk"],
} as const;

/** What changes, and the words of the buttons; a commit that is due is made by continuing. */
export function textsOf({ what, subject }: OpenDialog): {
  readonly changes: string;
  readonly labels: (typeof LABELS)[keyof typeof LABELS];
} {
  const name = what === "continue" && subject.needs?.kind === "commit" ? "commit" : what;
  return { changes: CHANGES[name], labels: LABELS[name] };
}

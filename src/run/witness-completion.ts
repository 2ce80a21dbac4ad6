import type { RunNews } from "./news.ts";

/** Hears what a run tells, and knows by that whether it has decided on a completion itself: an agent can write to the journal, too. */
export function witnessCompletion(tell: (news: RunNews) => void): {
  readonly tell: (news: RunNews) => void;
  readonly hasSeen: () => boolean;
} {
  let seen = false;
  return {
    tell: (news) => {
      if (news.type === "judged" && news.verdict.type === "let-go")
        seen ||= news.verdict.because === "completed";
      tell(news);
    },
    hasSeen: () => seen,
  };
}

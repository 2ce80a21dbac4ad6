import type { RunNews } from "../../views/news/news.ts";

/** Listens to a run's news to know whether the run itself decided the completion, since an agent can write to the journal too. */
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

import type { Counselled } from "./counsellors.ts";
import { COUNSELLORS, playCounsel } from "./counsellors.ts";
import type { Reviewed } from "./play-reviews.ts";
import { playReview } from "./play-reviews.ts";
import { REVIEWERS } from "./reviewers.ts";
import type { WholePlay } from "./whole-plays.ts";
import { playWhole, WHOLE } from "./whole-plays.ts";
import type { WorkPlace } from "./work-place.ts";
import { openWorkPlace } from "./work-place.ts";
import type { Work } from "./work.ts";
import { FLAWED, SOUND } from "./works.ts";

export interface ReviewedWorks {
  readonly places: readonly Pick<WorkPlace, "work" | "checks">[];
  readonly reviewed: readonly Reviewed[];
}

/** Each reviewer on each work. */
export async function playReviews(
  works: readonly Work[] = [...FLAWED, ...SOUND],
  tell: (line: string) => void = () => {},
): Promise<ReviewedWorks> {
  const places: WorkPlace[] = [];
  const reviewed: Reviewed[] = [];
  for (const work of works) {
    tell(`reviews of: ${work.name}`);
    const place = await openWorkPlace(work);
    try {
      places.push(place);
      for (const reviewer of REVIEWERS) reviewed.push(await playReview(place, reviewer));
    } finally {
      place.close();
    }
  }
  return { places, reviewed };
}

export async function playCounsels(): Promise<readonly Counselled[]> {
  return Promise.all(COUNSELLORS.map(playCounsel));
}

/** The first flawed work through the whole program, with a few reviewers. */
export async function playWholes(tell: (line: string) => void): Promise<readonly WholePlay[]> {
  const [flawed] = FLAWED;
  const [sound] = SOUND;
  if (flawed === undefined || sound === undefined) throw new Error("there is no work to review");
  const plays: WholePlay[] = [];
  for (const reviewer of WHOLE) {
    tell(`loop run --plan, reviewer: ${reviewer?.name ?? "none"}`);
    plays.push(await playWhole(flawed, sound, reviewer));
  }
  return plays;
}

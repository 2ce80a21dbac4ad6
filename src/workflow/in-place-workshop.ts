import type { Workshop } from "./workshop.ts";

/** Without git: one task at a time, in the project's own files. */
export function inPlaceWorkshop(): Workshop {
  return {
    isInPlace: true,
    pathOf: () => null,
    makeReady: async () => true,
    room: async () => null,
    foresee: async () => () => null,
    prepare: async () => ({ type: "ready", env: {}, release: () => undefined }),
    layOver: async () => null,
    keepResult: async (_envelope, { confidence }) => ({
      type: "finished",
      commit: null,
      confidence,
      doubts: [],
    }),
    keepUnfinished: async () => null,
    wasChecked: async () => true,
    keepCarry: async () => undefined,
    siteAt: async () => {
      throw new Error("nothing is merged without git");
    },
    deliver: async () => null,
    tidy: async () => undefined,
  };
}

const MEGABYTE = 1024 * 1024;

/** Larger files would bloat the repository, and memory when they come back. */
export const LARGEST_KEPT_BYTES = 100 * MEGABYTE;

/** How much of a checkpoint is in memory at once, or one file of it. */
export const BATCH_BYTES = 64 * MEGABYTE;

/** Below this, new content is written without git: starting git would take longer than writing it. */
export const MOST_WRITTEN_BYTES = 8 * MEGABYTE;
export const MOST_WRITTEN_OBJECTS = 200;

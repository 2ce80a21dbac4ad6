const MEGABYTE = 1024 * 1024;

/** Larger files would bloat the repository, and memory when restored. */
export const LARGEST_KEPT_BYTES = 100 * MEGABYTE;

/** How much of a checkpoint is in memory at once, unless one file is larger. */
export const BATCH_BYTES = 64 * MEGABYTE;

/** Below this, new content is written without git, because starting git takes longer. */
export const MOST_WRITTEN_BYTES = 8 * MEGABYTE;
export const MOST_WRITTEN_OBJECTS = 200;

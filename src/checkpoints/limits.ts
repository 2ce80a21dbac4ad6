const MEGABYTE = 1024 * 1024;

/** Larger files would bloat the repository, and memory when they come back. */
export const LARGEST_KEPT_BYTES = 100 * MEGABYTE;

/** How much of a checkpoint is in memory at once, or one file of it. */
export const BATCH_BYTES = 64 * MEGABYTE;

/** Up to so much that is new since the last checkpoint is written without git, which then takes longer to start than to write it. */
export const MOST_WRITTEN_BYTES = 8 * MEGABYTE;
export const MOST_WRITTEN_OBJECTS = 200;

/** The system's error code, such as `ENOENT`. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** A file or folder that the user has to fix: one clear sentence with what to do. */
export class UnusablePath extends Error {
  override readonly name = "UnusablePath";
}

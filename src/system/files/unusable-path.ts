/** A file or folder that the user has to fix: one clear sentence with what to do. */
export class UnusablePath extends Error {
  override readonly name = "UnusablePath";
}

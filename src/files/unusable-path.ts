/** A file or folder that is the user's to put right: one clear sentence, and what to do. */
export class UnusablePath extends Error {
  override readonly name = "UnusablePath";
}

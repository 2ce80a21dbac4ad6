/** An event that the state cannot have produced. A journal with one is corrupt and is never repaired. */
export class ImpossibleEvent extends Error {
  override readonly name = "ImpossibleEvent";
}

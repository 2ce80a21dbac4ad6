/** An event that its state cannot have produced. A journal that holds one is corrupt; nothing is repaired. */
export class ImpossibleEvent extends Error {
  override readonly name = "ImpossibleEvent";
}

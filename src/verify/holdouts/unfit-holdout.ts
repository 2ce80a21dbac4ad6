/** Why a folder cannot be held out, without naming its content, because an agent may read the message. */
export class UnfitHoldout extends Error {
  override readonly name = "UnfitHoldout";
}

/** Why a folder cannot be held out, in words that name nothing that is in it: an agent may be the one who reads them. */
export class UnfitHoldout extends Error {
  override readonly name = "UnfitHoldout";
}

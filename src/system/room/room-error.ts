/** The room itself failed, so the result of a command in it doesn't count. */
export class RoomError extends Error {
  override readonly name = "RoomError";
}

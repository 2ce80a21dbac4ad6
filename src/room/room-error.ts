/** The room itself failed: what a command said or would have said in it counts for nothing. */
export class RoomError extends Error {
  override readonly name = "RoomError";
}

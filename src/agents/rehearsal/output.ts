import type { Writable } from "node:stream";
import type { PlayerMessage } from "../drivers/rehearsal/message.ts";

const FLOOD_CHUNK = "~".repeat(64 * 1024);

export interface Output {
  tell(message: PlayerMessage): Promise<void>;
  print(text: string): Promise<void>;
  /** One line of that many bytes, including its end. */
  flood(bytes: number): Promise<void>;
}

/** Each resolves when the text was written, and rejects when nobody reads any more. */
export function outputTo(stream: Writable): Output {
  async function print(text: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }
  return {
    print,
    tell: async (message) => print(`${JSON.stringify(message)}\n`),
    async flood(bytes) {
      for (let left = bytes - 1; left > 0; left -= FLOOD_CHUNK.length)
        await print(FLOOD_CHUNK.slice(0, left));
      if (bytes > 0) await print("\n");
    },
  };
}

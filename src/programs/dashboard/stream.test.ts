import { expect, test } from "vitest";
import type { BoardRow } from "../../views/board.ts";
import { Newsroom, type Stream } from "./stream.ts";

const row = (said: string): BoardRow => ({ key: "a/b", said }) as unknown as BoardRow;

/** What a reader gets who has seen the news up to `from`. */
function heardFrom(newsroom: Newsroom, from: number): readonly string[] {
  const heard: string[] = [];
  const send = (event: string): void => void heard.push(event);
  newsroom.admit({ send } as unknown as Stream, `${newsroom.epoch}.${from}`, () => "everything");
  return heard;
}

test("news are kept for readers who were away, as many as fit, however long each is", () => {
  const newsroom = new Newsroom();
  for (let n = 1; n <= 1_000; n += 1) newsroom.changed([row("x".repeat(30_000))]);
  expect(heardFrom(newsroom, 997)).toEqual(["rows", "rows", "rows"]);
  // 30 MB of news came since then, far more than is kept.
  expect(heardFrom(newsroom, 10)).toEqual(["reset"]);
  const quiet = new Newsroom();
  for (let n = 1; n <= 1_500; n += 1) quiet.changed([row("short")]);
  expect(heardFrom(quiet, 10)).toHaveLength(1_490);
});

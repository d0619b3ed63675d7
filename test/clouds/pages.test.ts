import { expect, test } from "vitest";
import { pagesOf } from "../../src/clouds/pages.ts";

test("a list without an end is one of too many pages, not a circular one", async () => {
  let page = 0;
  const reading = async () => {
    for await (const { next } of pagesOf(async () => ({ next: String(++page) }))) expect(next).not.toBe("");
  };
  await expect(reading()).rejects.toMatchObject({
    message: "the cloud's list has more than 10000 pages",
    advice: "Nothing was reported. Select a part of it with include.",
  });
});

import { describe, expect, test } from "vitest";
import { fixedParts, isOurs } from "./messages.ts";
import { codeIn, pages, tablesOf } from "./pages.ts";

const tables = pages.flatMap(tablesOf).filter(({ header }) => header[0] === "Message");

test.each(tables.map((table) => [table.name, table] as const))(
  "%s: every message is printed by our programs",
  (_, { rows }) => {
    const messages = rows.flatMap(([first = ""]) => codeIn(first));
    expect(messages.filter((message) => !isOurs(message))).toEqual([]);
    expect(messages.length).toBeGreaterThanOrEqual(rows.length);
  },
);

test.each(tables.map((table) => [table.name, table] as const))(
  "%s: every message has its cause and what to do",
  (_, { header, rows }) => {
    expect(header).toEqual(["Message", "Cause", "What to do"]);
    expect(rows.filter((row) => row.length !== 3 || row.includes(""))).toEqual([]);
  },
);

test("every action's page has such a table", () => {
  const without = pages
    .filter(({ path }) => path.startsWith("actions/"))
    .filter(({ path }) => !tables.some(({ name }) => name.startsWith(`${path},`)));
  expect(without.map(({ path }) => path)).toEqual([]);
});

describe("a message is recognized", () => {
  test("by its parts, with the values between them left open", () => {
    expect(isOurs("the API key was rejected: …")).toBe(true);
    expect(isOurs("… is … MB; the limit is … MB")).toBe(true);
  });

  test("by what follows the name of an input", () => {
    expect(fixedParts("api-key: is empty")).toEqual(["is empty"]);
    expect(isOurs("allow-empty: is false, and no … was found to report")).toBe(true);
  });

  test("also when its text spans several lines of code", () => {
    expect(isOurs("before the next attempt (…), but … of … are left")).toBe(true);
  });

  test("not when no program prints it", () => {
    expect(isOurs("the moon is in the way of … today")).toBe(false);
    expect(isOurs("…: …")).toBe(false);
  });
});

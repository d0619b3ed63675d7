import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { PROGRAM } from "../../src/cli/operator/program.ts";
import { commandOf } from "../../src/cli/program.ts";
import { parse } from "../../src/cli/usage.ts";
import { shellWords } from "../cli/shell-words.ts";
import { allBlocks } from "./pages.ts";

const commands = allBlocks("sh").map((block) => [block.name, block] as const);

test.each(commands)("%s is valid bash", (_, { text }) => {
  const { status, stderr } = spawnSync("bash", ["-n"], { input: text, encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});

test("npm reads no folder of a command as a repository at GitHub, as it does with packages/client", () => {
  const lines = commands.flatMap(([, { text }]) => text.match(/^npm (?:pack|install) .*/gm) ?? []);
  const names = lines
    .flatMap((line) => line.split(" ").slice(2))
    .filter((word) => /^[\w-]+\/[\w-]+$/.test(word));
  expect(lines.length).toBeGreaterThan(1);
  expect(names).toEqual([]);
});

const definitions = Object.fromEntries(
  await Promise.all(
    Object.entries(PROGRAM).map(async ([name, each]) => [name, await each.define()] as const),
  ),
);
/** Lines that start our program, without those that go on in the next line. */
const starts = commands
  .flatMap(([, { text }]) => text.split("\n"))
  .flatMap(
    (line) =>
      /^npx (?:--yes @delivery-evidence\/client@\S+|delivery-evidence) (?!help)(.*[^\\])$/.exec(line)?.[1] ??
      [],
  )
  .map((line) => line.replace(/ \d?(?:[|>&]|<<).*$/, ""));

test.each([...new Set(starts)])("%s has options of its command, with valid values", (line) => {
  const words = shellWords(line);
  const name = commandOf(PROGRAM, words) ?? "";
  const definition = definitions[name] ?? expect.fail("There is no such command");
  expect(() => parse(words.slice(name.split(" ").length), name, definition)).not.toThrow();
});

test("there are commands, and no shell block has another name", () => {
  expect(commands.length).toBeGreaterThan(3);
  expect([...allBlocks("bash"), ...allBlocks("shell"), ...allBlocks("console")]).toEqual([]);
});

test.each(allBlocks("json").map((block) => [block.name, block] as const))("%s is JSON", (_, { text }) => {
  expect(() => JSON.parse(text)).not.toThrow();
});

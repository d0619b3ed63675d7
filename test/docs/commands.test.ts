import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
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

test("there are commands, and no shell block has another name", () => {
  expect(commands.length).toBeGreaterThan(3);
  expect([...allBlocks("bash"), ...allBlocks("shell"), ...allBlocks("console")]).toEqual([]);
});

test.each(allBlocks("json").map((block) => [block.name, block] as const))("%s is JSON", (_, { text }) => {
  expect(() => JSON.parse(text)).not.toThrow();
});

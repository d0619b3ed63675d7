import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { closedFolders, mayHaveAlternatives } from "../../src/evidence/glob-pattern.ts";
import { becomeOrdinaryUser } from "./ordinary-user.ts";
import { planted } from "./temporary-directory.ts";

describe("the number of patterns that braces expand to", () => {
  test.each([
    ["reports/*.xml", 1],
    ["a,b", 1],
    ["a,b,c}", 1],
    ["{a,b}", 2],
    ["{a,b}-{c,d,e}", 6],
    ["{a,{b,c},d}", 6],
    ["{a,b", 1],
    ["a}{b,c}", 2],
    ["\\{a,b\\}", 1],
    ["{a\\,b,c}", 2],
    ["{a\\}b,c}", 2],
    ["{1..10}", 10],
    ["{10..1}", 10],
    ["{-2..2}", 5],
    ["{-12..-2}{a,b}", 22],
    ["{1..3}{1..4}", 12],
    ["1..10", 1],
  ])("%s: %i", (pattern, count) => {
    expect(mayHaveAlternatives(pattern)).toBe(count);
  });
});

describe("the folders that a glob may not read", () => {
  /** Folders named `closed` may not be read. Hidden ones may not be read either. */
  function workspace(): string {
    const root = planted({
      closed: {},
      file: "",
      ".git": {},
      ".hidden": {},
      open: { closed: {}, deep: { closed: {} }, ".hidden": {} },
    });
    chmodSync(root, 0o755);
    const unreadable = ["closed", ".git", ".hidden", "open/closed", "open/deep/closed", "open/.hidden"];
    for (const folder of unreadable) chmodSync(join(root, folder), 0o000);
    becomeOrdinaryUser();
    return root;
  }
  const closedIn = async (root: string, pattern: string, isExcluded = (_path: string) => false) =>
    (await closedFolders(pattern, root, isExcluded)).map((path) => path.slice(root.length + 1)).sort();

  test.each([
    ["*", []],
    ["open/*", []],
    ["*.xml", []],
    ["*//*.xml", ["closed"]],
    ["*/*.xml", ["closed"]],
    [".*/*.xml", [".hidden"]],
    ["./*/*.xml", ["closed"]],
    ["closed/*.xml", ["closed"]],
    ["closed/**", ["closed"]],
    ["o*/*/*.xml", ["open/closed"]],
    ["o*//*/*.xml", ["open/closed"]],
    ["open//c*/*.xml", ["open/closed"]],
    ["open/?losed/x", ["open/closed"]],
    ["open/[a-c]losed/x", ["open/closed"]],
    ["open/.h*/*", ["open/.hidden"]],
    ["*/deep/*/x", ["closed", "open/deep/closed"]],
    ["**", ["closed", "open/closed", "open/deep/closed"]],
    ["**/*.xml", ["closed", "open/closed", "open/deep/closed"]],
    ["open/**/*.xml", ["open/closed", "open/deep/closed"]],
    ["absent/*.xml", []],
    ["file/*.xml", []],
    ["[/x", []],
    ["{open,closed}/*", []],
    ["+(closed)/*", []],
    ["open/{closed,deep}/*", []],
  ])("%s: %j", async (pattern, folders) => {
    expect(await closedIn(workspace(), pattern)).toEqual(folders);
  });

  test("have absolute paths, also for an absolute glob", async () => {
    const root = workspace();
    expect(await closedFolders(`${root}/*/x`, "/nowhere", () => false)).toEqual([join(root, "closed")]);
  });

  test("are searched from the root of the file system for an absolute glob", async () => {
    const folders = new Set<string>();
    const closed = await closedFolders("/*/x", workspace(), (path) => {
      folders.add(dirname(path));
      return true;
    });
    expect([closed, [...folders]]).toEqual([[], ["/"]]);
  });

  test("exclude those matched by exclusions, and their contents", async () => {
    const root = workspace();
    const isOpen = (path: string) => path === join(root, "open");
    expect(await closedIn(root, "**/*.xml", isOpen)).toEqual(["closed"]);
  });
});

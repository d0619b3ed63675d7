import { describe, expect, test } from "vitest";
import { fingerprintDirectory } from "../../src/evidence/directory-fingerprint.ts";
import { parseIgnoreFile } from "../../src/evidence/exclusions.ts";
import { refusal } from "./refusal.ts";
import { Link, planted, type Tree } from "./temporary-directory.ts";

const tree = {
  "app.js": "app",
  "app.log": "log",
  "[id].js": "brackets",
  logs: { file1: "1", deep: { file2: "2" } },
  nested: { file1: "n", logs: { "log.txt": "nl" } },
  a: { x: "ax", b: { x: "abx" } },
} satisfies Tree;

const { logs, nested, a, ...files } = tree;

/** The paths of `tree` that remain under a pattern. Other clients compute the fingerprint of exactly these. */
const cases: readonly [pattern: string, left: Tree][] = [
  ["logs", { ...files, nested, a }],
  ["logs/", { ...files, nested, a }],
  ["/logs", { ...files, nested, a }],
  ["./x/../logs", { ...files, nested, a }],
  ["*/logs", { ...tree, nested: { file1: "n" } }],
  ["logs/*", { ...tree, logs: {} }],
  ["nested//logs", { ...tree, nested: { file1: "n" } }],
  ["*.log", { ...tree, "app.log": undefined }],
  ["**/*.log", { ...tree, "app.log": undefined }],
  ["*", {}],
  ["**", {}],
  ["app.[jl]?", { ...tree, "app.js": undefined }],
  ["app.[^j]*", { ...tree, "app.log": undefined }],
  ["\\[id].js", { ...tree, "[id].js": undefined }],
  ["[[]id[\\]].js", { ...tree, "[id].js": undefined }],
  ["a/?", { ...tree, a: {} }],
  // A plain name after a double star does not match where the double star matches no directory, but a directory of
  // that name loses its contents.
  ["a/**/x", { ...tree, a: { x: "ax", b: {} } }],
  ["**/logs", { ...tree, logs: {}, nested: { file1: "n" } }],
  ["**/x", { ...tree, a: { b: {} } }],
  ["**/nested/logs", { ...tree, nested: { file1: "n", logs: {} } }],
  // The part before a double star must exist, since it is not part of a name.
  ["lo**gs", tree],
  ["logs/**", { ...tree, logs: {} }],
  ["lo*/**", tree],
  ["a**", { ...files, logs, nested }],
  ["**.log", tree],
  ["app\\*", tree],
  ["{logs,a}", tree],
  ["!logs", tree],
  ["../logs", tree],
  [".", tree],
  ["..", tree],
  ["absent", tree],
  ["absent/*", tree],
  ["APP.js", tree],
].map(([pattern, left]) => [String(pattern), withoutUndefined(left)]);

function withoutUndefined(left: unknown): Tree {
  return JSON.parse(JSON.stringify(left));
}

describe("a pattern", () => {
  test.each(cases)("%j in exclude excludes the same paths as other clients", async (pattern, left) => {
    const whole = await fingerprintDirectory(planted(tree), { exclude: [pattern] });
    expect(whole).toBe(await fingerprintDirectory(planted(left)));
  });

  test.each(cases)("%j excludes the same paths in .kosli_ignore", async (pattern, left) => {
    const ignoring = planted({ ...tree, ".kosli_ignore": pattern });
    // The same ignore file also applies to the rest, unless it excludes itself, and has nothing more to exclude.
    const expected = planted({ ...left, ".kosli_ignore": pattern });
    expect(await fingerprintDirectory(ignoring)).toBe(await fingerprintDirectory(expected));
  });

  test.each(["[", "a[", "logs/[a-", "[]a]", "[-a]", "[a-]", "trailing\\"])(
    "%j is rejected as malformed",
    async (pattern) => {
      const directory = planted(tree);
      const error = await refusal(fingerprintDirectory(directory, { exclude: ["fine", pattern] }));
      expect(error.message).toBe(`exclude: the pattern '${pattern}' is malformed`);
      expect(error.advice).toContain("write '\\[' for the bracket");
    },
  );

  test("matches characters of any script with ? and classes, not bytes", async () => {
    const directory = planted({ 𝕏: "1", é: "2", ab: "3" });
    expect(await fingerprintDirectory(directory, { exclude: ["?"] })).toBe(
      await fingerprintDirectory(planted({ ab: "3" })),
    );
    expect(await fingerprintDirectory(directory, { exclude: ["[à-ü]"] })).toBe(
      await fingerprintDirectory(planted({ 𝕏: "1", ab: "3" })),
    );
  });

  test("excludes the contents of a directory whose name would be a malformed pattern", async () => {
    const directory = planted({ "[x": { "a.log": "1" }, other: { "b.log": "2" } });
    expect(await fingerprintDirectory(directory, { exclude: ["**/*.log"] })).toBe(
      await fingerprintDirectory(planted({ "[x": { "a.log": "1" }, other: {} })),
    );
  });

  test("with many stars is matched quickly against a long name", async () => {
    const directory = planted({ ["a".repeat(200)]: "x" });
    const pattern = `${"*a".repeat(60)}*b`;
    expect(await fingerprintDirectory(directory, { exclude: [pattern] })).toBe(
      await fingerprintDirectory(directory),
    );
  });
});

describe("the ignore file", () => {
  test.each([
    ["", []],
    ["logs", ["logs"]],
    ["\n  logs  \n\n\t*.log\t\n", ["logs", "*.log"]],
    ["# all\nlogs\n   # done", ["logs"]],
    ["logs # noisy", ["logs"]],
    ["a#b", ["a"]],
    ["logs\r\n*.log\r\n", ["logs", "*.log"]],
    ["with space/x", ["with space/x"]],
  ])("%j contains the patterns %j", (text, patterns) => {
    expect(parseIgnoreFile(text)).toEqual(patterns);
  });

  test.each([".kosli_ignore", "./.kosli_ignore", "*ignore*", ".*", "*", "**", "**/*", "?kosli[_]ignore"])(
    "excludes itself with %j, as for other clients",
    async (pattern) => {
      const matching = planted({ ".kosli_ignore": `extra.js\n${pattern}`, "extra.js": "x", "app.js": "app" });
      const app = /^\*/.test(pattern) && pattern !== "*ignore*" ? {} : { "app.js": "app" };
      expect(await fingerprintDirectory(matching)).toBe(await fingerprintDirectory(planted(app)));
    },
  );

  test.each(["**/.kosli_ignore", "kosli_ignore", "*/.kosli_ignore", "../.kosli_ignore", "*.log"])(
    "counts like any other file with %j, which does not match it",
    async (pattern) => {
      const directory = planted({ ".kosli_ignore": pattern, "app.js": "app" });
      const other = planted({ ".kosli_ignore": `${pattern} # again`, "app.js": "app" });
      expect(await fingerprintDirectory(directory)).not.toBe(await fingerprintDirectory(other));
    },
  );

  test("is omitted when exclude matches it, and its patterns still apply", async () => {
    const directory = planted({ "app.js": "app", "app.log": "log", ".kosli_ignore": "*.log" });
    expect(await fingerprintDirectory(directory, { exclude: [".kosli_ignore"] })).toBe(
      await fingerprintDirectory(planted({ "app.js": "app" })),
    );
  });

  test("below the root is an ordinary file", async () => {
    const nestedRules = planted({ sub: { ".kosli_ignore": "x", x: "kept" } });
    const without = planted({ sub: { ".kosli_ignore": "x" } });
    expect(await fingerprintDirectory(nestedRules)).not.toBe(await fingerprintDirectory(without));
    expect(await fingerprintDirectory(nestedRules, { exclude: ["sub/.kosli_ignore"] })).toBe(
      await fingerprintDirectory(planted({ sub: { x: "kept" } })),
    );
  });

  test("may be a link to a file, and is ignored as a directory or a link to one", async () => {
    const linked = planted({ rules: "*.log", ".kosli_ignore": new Link("rules"), "a.log": "1" });
    const linkedWithout = planted({ rules: "*.log", ".kosli_ignore": new Link("rules") });
    expect(await fingerprintDirectory(linked)).toBe(await fingerprintDirectory(linkedWithout));
    const directory = planted({ ".kosli_ignore": { "a.log": "1" }, "a.log": "1" });
    expect(await fingerprintDirectory(directory, { exclude: [".kosli_ignore"] })).toBe(
      await fingerprintDirectory(planted({ "a.log": "1" })),
    );
    const toDirectory = planted({ ".kosli_ignore": new Link("sub"), sub: { "*.log": "" }, "a.log": "1" });
    const toDirectoryWithout = planted({ ".kosli_ignore": new Link("sub"), sub: { "*.log": "" } });
    expect(await fingerprintDirectory(toDirectory)).not.toBe(await fingerprintDirectory(toDirectoryWithout));
  });

  test("with a malformed pattern is named in the error", async () => {
    const { message } = await refusal(fingerprintDirectory(planted({ ".kosli_ignore": "ok\nbad[" })));
    expect(message).toBe(".kosli_ignore: the pattern 'bad[' is malformed");
  });
});

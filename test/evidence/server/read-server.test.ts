import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseNamedPath } from "../../../src/evidence/server/find-paths.ts";
import { readServer } from "../../../src/evidence/server/read-server.ts";
import { refusal } from "../refusal.ts";
import { planted } from "../temporary-directory.ts";

function read(root: string, lines: readonly string[], more: { exclude?: string[]; warned?: string[] } = {}) {
  return readServer({
    lines,
    root,
    exclude: more.exclude ?? [],
    mayBeMissing: false,
    signal: new AbortController().signal,
    onWarning: (text) => more.warned?.push(text),
  });
}

test.each([
  ["/srv/app", undefined, "/srv/app"],
  ["app=/srv/app", "app", "/srv/app"],
  ["acme/web = srv/*.jar", "acme/web", "srv/*.jar"],
  ["./a=b", undefined, "./a=b"],
  ["/srv/a=b", undefined, "/srv/a=b"],
  ["C:\\srv\\a=b", undefined, "C:\\srv\\a=b"],
  ["*=b", undefined, "*=b"],
  ["=b", undefined, "=b"],
])("'%s' has the name %s and the path %s", (line, name, pattern) => {
  expect(parseNamedPath(line)).toEqual({
    ...(name !== undefined && { name }),
    pattern,
    excluded: false,
  });
});

describe("the paths of the lines", () => {
  test("are included once each, or once under each name, in any position", async () => {
    const root = planted({ "a.jar": "A", "b.jar": "B", "c.war": "C", "sub/d.txt": "D" });
    const names = async (...lines: string[]) => (await read(root, lines)).map(({ name }) => name);
    const at = (path: string) => join(root, path);
    expect(await names("*.jar", "a.jar", "web=a.jar")).toEqual([at("b.jar"), "web"]);
    expect(await names("web=a.jar", "*.jar")).toEqual([at("b.jar"), "web"]);
    expect(await names("one=*.war")).toEqual(["one"]);
    expect(await names("**/*", "!sub", "!*.jar")).toEqual([at("c.war")]);
    expect(await names("one=a.jar", "a.jar", "two=a.jar")).toEqual(["one", "two"]);
    expect((await names("*")).sort()).toEqual([at("a.jar"), at("b.jar"), at("c.war"), at("sub")].sort());
  });

  test.each(["app=", "app= ", "!", ""])(
    "are never the working directory by an empty path: '%s'",
    async (line) => {
      const error = await refusal(read(planted({ a: "A" }), ["a", line]));
      expect(error.message).toBe(`paths: '${line}' has no path: check the expression that it comes from`);
    },
  );

  test("are rejected with every problem of the lines", async () => {
    const root = planted({ "a.jar": "A", "b.jar": "B" });
    const lines = ["x=*.jar", "x=a.jar", "b.jar", "!b.jar", "gone", "*.war", "{1..9999}"];
    const error = await refusal(read(root, lines));
    expect(error.problems.map(({ input, problem }) => `${input}: ${problem}`)).toEqual([
      "paths: 'b.jar' is both included and excluded with '!': remove one of the two lines",
      "paths: '{1..9999}' expands to more than 1000 patterns: use several lines",
      "paths: the name 'x' is used twice",
      "paths: 'gone' does not exist",
      "paths: nothing matches '*.war'",
    ]);
    const many = await refusal(read(root, ["x=*.jar"]));
    expect(many.message).toBe("paths: '*.jar' matches 2 paths, but 'x' can name only one");
  });

  test("exclude a FIFO, which is never opened", async () => {
    const root = planted({});
    execFileSync("mkfifo", [join(root, "pipe")]);
    const error = await refusal(read(root, ["pipe"]));
    expect(error.message).toBe(`paths: '${join(root, "pipe")}' is a FIFO, not a file`);
  });

  test("exclude a broken link and a malformed exclusion", async () => {
    const root = planted({ "dir/a": "A" });
    execFileSync("ln", ["-s", "nowhere", join(root, "broken")]);
    expect((await refusal(read(root, ["broken"]))).message).toMatch(/^paths: '.*broken' does not exist$/);
    const malformed = await refusal(read(root, ["dir"], { exclude: ["[a"] }));
    expect(malformed.message).toBe("exclude: the pattern '[a' is malformed");
  });

  test("cause a warning when there is no directory for exclude", async () => {
    const warned: string[] = [];
    await read(planted({ a: "A" }), ["a"], { exclude: ["logs"], warned });
    expect(warned).toEqual(["`exclude` is used only for directories, but `paths` matches none"]);
  });
});

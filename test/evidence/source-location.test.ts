import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findInWorkspace, workspacePath } from "../../src/evidence/source-location.ts";
import { placesIn } from "../../src/evidence/test-results/failure-location.ts";
import { openWorkspace } from "../../src/evidence/workspace.ts";
import { Link, planted } from "./temporary-directory.ts";

describe("a path of a report", () => {
  test.each<[written: string, path: string | undefined]>([
    ["src/a.ts", "src/a.ts"],
    ["./src//a.ts", "src/a.ts"],
    ["src\\a.ts", "src/a.ts"],
    ["src/../a.ts", "a.ts"],
    ["/home/runner/work/shop/shop/src/a.ts", "src/a.ts"],
    ["/Users/runner/work/shop/shop/src/a.ts", "src/a.ts"],
    ["/__w/shop/shop/src/a.ts", "src/a.ts"],
    ["D:\\a\\shop\\shop\\src\\a.ts", "src/a.ts"],
    ["/D:/a/shop/shop/src/a.ts", "src/a.ts"],
    ["/home/runner/work/shop/other/src/a.ts", undefined],
    ["/etc/passwd", undefined],
    ["C:\\Windows\\a.ts", undefined],
    ["../a.ts", undefined],
    ["src/../../a.ts", undefined],
    ["/home/runner/work/shop/shop/../../../../../etc/passwd", undefined],
    ["https://example.com/a.ts", undefined],
    ["node:internal/a.js", undefined],
    ["webpack-internal:///src/a.ts", undefined],
    ["node_modules/x/a.js", undefined],
    ["packages/a/node_modules/x/a.js", undefined],
    [".git/config", undefined],
    ["src/a.ts\n::error::x", undefined],
    ["<anonymous>", undefined],
    ["", undefined],
    [".", undefined],
    ["src/", undefined],
  ])("%j is %j in the repository", async (written, path) => {
    expect(workspacePath(written, await openWorkspace(planted({})))).toBe(path);
  });

  test("is relative to the workspace, by either name of it", async () => {
    const parent = planted({ real: { "a.ts": "" }, link: new Link("real") });
    const workspace = await openWorkspace(join(parent, "link"));
    expect(workspacePath(join(parent, "link/a.ts"), workspace)).toBe("a.ts");
    expect(workspacePath(join(parent, "real/a.ts"), workspace)).toBe("a.ts");
    expect(workspacePath(join(parent, "real-other/a.ts"), workspace)).toBeUndefined();
  });
});

describe("the locations that a report names", () => {
  const tree = { "src/a.ts": "", "packages/p/src/a.ts": "", "packages/p/b.ts": "" };

  test("are resolved nearest to the report first when they are relative", async () => {
    const workspace = await openWorkspace(planted(tree));
    const find = (report: string) => findInWorkspace([{ file: "src/a.ts", line: 2 }], workspace, report);
    expect(await find("packages/p/out/junit.xml")).toEqual({ file: "packages/p/src/a.ts", line: 2 });
    expect(await find("packages/q/out/junit.xml")).toEqual({ file: "src/a.ts", line: 2 });
    expect(await find("junit.xml")).toEqual({ file: "src/a.ts", line: 2 });
    expect(await find("/elsewhere/junit.xml")).toEqual({ file: "src/a.ts", line: 2 });
  });

  test("stay unchanged when they are absolute, whatever is beside the report", async () => {
    const root = planted(tree);
    const workspace = await openWorkspace(root);
    const places = [{ file: `${root}/src/a.ts` }];
    expect(await findInWorkspace(places, workspace, "packages/p/junit.xml")).toEqual({ file: "src/a.ts" });
  });

  test("that exist take precedence over those that do not", async () => {
    const workspace = await openWorkspace(planted(tree));
    const places = [
      { file: "lib/gone.ts", line: 1 },
      { file: "src/a.ts", line: 9 },
    ];
    expect(await findInWorkspace(places, workspace, "r.xml")).toEqual({ file: "src/a.ts", line: 9 });
  });

  test("default to the first where no sources are, unless it requires its file", async () => {
    const workspace = await openWorkspace(planted({}));
    const sure = { file: "src/a.ts", line: 3 };
    const bare = { file: "a_test.go", line: 4, mustExist: true };
    expect(await findInWorkspace([bare, sure], workspace, "r.xml")).toEqual(sure);
    expect(await findInWorkspace([bare], workspace, "r.xml")).toBeUndefined();
    expect(await findInWorkspace([], workspace, "r.xml")).toBeUndefined();
  });
});

describe("the location found in a failure's text is", () => {
  test.each<[language: string, text: string, file: string, line: number]>([
    ["JavaScript", "Error: x\n    at Object.<anonymous> (src/x.test.ts:10:5)\n", "src/x.test.ts", 10],
    ["an anonymous function", "    at file:///__w/shop/shop/src/x.js:7:1", "/__w/shop/shop/src/x.js", 7],
    ["Python", 'Traceback:\n  File "tests/x y.py", line 3, in test', "tests/x y.py", 3],
    ["pytest", "tests/test_x.py:12: AssertionError", "tests/test_x.py", 12],
    [".NET", "   at A.B() in /src/A Tests/B.cs:line 17", "/src/A Tests/B.cs", 17],
    ["PHP", "Failed asserting.\n\n/app/tests/XTest.php:22", "/app/tests/XTest.php", 22],
    ["Ruby", "# ./spec/x_spec.rb:12:in `block (2 levels)'", "./spec/x_spec.rb", 12],
    ["Rust", "thread 'x' panicked at src/lib.rs:5:9:\nassertion failed", "src/lib.rs", 5],
    ["any tool", "see path/File.java:12.", "path/File.java", 12],
  ])("of %s", (_language, text, file, line) => {
    expect(placesIn(text, "")).toContainEqual({ file, line });
  });

  test("a Java frame in the class of the test, in the folders where its tests may be", () => {
    const text =
      "\tat org.junit.Assert.fail(Assert.java:9)\n\tat com.acme.CartTest$Inner.x(CartTest.java:31)";
    const places = placesIn(text, "com.acme.CartTest");
    expect(places).toContainEqual({
      file: "src/test/java/com/acme/CartTest.java",
      line: 31,
      mustExist: true,
    });
    expect(places.some(({ file }) => file.includes("/org/junit/"))).toBe(false);
  });

  test("unset for words that only look like one, unless there is such a file", () => {
    expect(placesIn("expected 10:20 at 12:30:45 to be 192.168.0.1:80 or a:1", "")).toEqual([]);
    expect(placesIn("connect to example.com:443", "")).toEqual([
      { file: "example.com", line: 443, mustExist: true },
    ]);
  });

  test("found in bounded time, however long the text", () => {
    const text = `${"\n".repeat(8000)}${" in ".repeat(1000)}${"at a(".repeat(1000)}${"src/a.ts:1 ".repeat(1000)}`;
    expect(placesIn(text, "a").length).toBeLessThan(300);
  });
});

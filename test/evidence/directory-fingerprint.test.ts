import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fingerprintDirectory } from "../../src/evidence/directory-fingerprint.ts";
import { becomeOrdinaryUser } from "./ordinary-user.ts";
import { refusal } from "./refusal.ts";
import { Link, plant, planted, type Tree, temporaryDirectory } from "./temporary-directory.ts";

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The rule, literally, for the tree of a test. Links in it lead to `docs` (a directory) or `readme`. */
function reference(tree: Tree, leftOut: (path: string) => boolean = () => false, parent = ""): string {
  let text = "";
  const names = Object.keys(tree).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  for (const name of names) {
    const path = `${parent}${name}`;
    if (leftOut(path)) continue;
    text += sha256(name);
    const entry = tree[name] ?? "";
    if (entry instanceof Link) text += sha256(entry.target.endsWith("docs") ? entry.target : "read me");
    else if (typeof entry === "string" || entry instanceof Uint8Array) text += sha256(entry);
    else text += reference(entry, leftOut, `${path}/`);
  }
  return parent === "" ? sha256(text) : text;
}

describe("the fingerprint of a directory", () => {
  // The expected values of these four were made with printf and sha256sum.
  test("is the known value for one file", async () => {
    const directory = planted({ "file.extra": "this is known extra content" });
    expect(await fingerprintDirectory(directory)).toBe(
      "c71f5baef8cce289c9b7c971cf219e21b787a025af68ad6539b82634fe62819e",
    );
  });

  test("is the known value for directories, links, an empty file and names beyond ASCII", async () => {
    const directory = planted({
      "B.txt": "upper",
      a: { z: "", é: "accent" },
      "a.txt": "dot",
      empty: {},
      "link-dir": new Link("a"),
      "link-file": new Link("B.txt"),
      日本: "x",
      // In UTF-16 order the second of these comes first, in byte order the first.
      "\uffee": "half",
      𝕏: "double",
    });
    expect(await fingerprintDirectory(directory)).toBe(
      "a16b1c4ff213fa4cfb90efb1d6cee9d5d5bd8aebeccfc73fc31bc59e80320f91",
    );
  });

  test("is the known value with an ignore file, which itself counts", async () => {
    const directory = planted({
      ".kosli_ignore": "logs # noise\n**/*.tmp\n",
      logs: { "a.log": "noise" },
      keep: { "k.txt": "k", "k.tmp": "noise" },
      "root.tmp": "noise",
    });
    expect(await fingerprintDirectory(directory)).toBe(
      "1488500ebedebcec0ba9967b599d929bedf1b88a63d4bf39a4a2fdbe8afb6260",
    );
  });

  test("is the known value with an ignore file that excludes itself", async () => {
    const directory = planted({
      ".kosli_ignore": ".* # all that is hidden\nlogs\n",
      ".env": "x",
      logs: { "a.log": "n" },
      keep: { "k.txt": "k" },
    });
    expect(await fingerprintDirectory(directory)).toBe(
      "4256b96151d6f3471cbfe148bcb703b991b997c290b7cd1cc12a6f0f355c7911",
    );
  });

  test("is that of no content for an empty directory, whatever the directory's name", async () => {
    const parent = planted({ one: {}, two: {} });
    expect(await fingerprintDirectory(join(parent, "one"))).toBe(sha256(""));
    expect(await fingerprintDirectory(join(parent, "two"))).toBe(sha256(""));
  });

  const name = fc.oneof(
    fc.constantFrom(
      "a",
      "a.txt",
      "a-b",
      "b",
      "B",
      ".hidden",
      "tmp",
      "é",
      "日本",
      "\uffee",
      "𝕏",
      "[id]",
      "new\nline",
    ),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }),
  );
  const usable = name.filter(
    (text) => !/[/\0]/.test(text) && text !== "." && text !== ".." && Buffer.from(text).toString() === text,
  );
  const trees = (names: fc.Arbitrary<string>) =>
    fc.letrec<{ tree: Tree; entry: Tree[string] }>((tie) => ({
      tree: fc.dictionary(names, tie("entry"), { maxKeys: 5 }),
      entry: fc.oneof(
        { maxDepth: 3 },
        fc.oneof(
          fc.string(),
          fc.uint8Array({ maxLength: 20 }),
          fc.constantFrom(new Link("docs"), new Link("readme")),
        ),
        tie("tree"),
      ),
    })).tree;
  /** Links name their target from the root of the tree, where `docs` and `readme` are. */
  const anchored = (directory: string, branch: Tree): Tree =>
    Object.fromEntries(
      Object.entries(branch).map(([key, entry]) => {
        if (entry instanceof Link) return [key, new Link(join(directory, entry.target))];
        return [
          key,
          typeof entry === "string" || entry instanceof Uint8Array ? entry : anchored(directory, entry),
        ];
      }),
    );

  test("follows the rule for any tree", async () => {
    const root = temporaryDirectory();
    await fc.assert(
      fc.asyncProperty(trees(usable), async (branch) => {
        const directory = join(root, "tree");
        const whole = { ...anchored(directory, branch), docs: { page: "text" }, readme: "read me" };
        plant(directory, whole);
        const actual = await fingerprintDirectory(directory);
        rmSync(directory, { recursive: true });
        expect(actual).toBe(reference(whole));
      }),
      { numRuns: 75 },
    );
  });

  test("excludes matches of patterns, at any depth, in any tree", async () => {
    const root = temporaryDirectory();
    // The rule uses found names as patterns again, so that a name with wildcards would match other names.
    const plain = usable.filter((text) => !/[*?[\\]/.test(text));
    await fc.assert(
      fc.asyncProperty(trees(plain), async (branch) => {
        const directory = join(root, "tree");
        const whole = { ...anchored(directory, branch), docs: { page: "text" }, readme: "read me" };
        plant(directory, whole);
        const actual = await fingerprintDirectory(directory, { exclude: ["tmp", "**/*[.]txt", "*/a"] });
        rmSync(directory, { recursive: true });
        const leftOut = (path: string) => path === "tmp" || path.endsWith(".txt") || /^[^/]+\/a$/s.test(path);
        expect(actual).toBe(reference(whole, leftOut));
      }),
      { numRuns: 75 },
    );
  });

  test("does not depend on the order in which entries were created", async () => {
    const directory = temporaryDirectory();
    const forwards = { a: "1", b: { c: "2", d: "3" }, e: "4" };
    const backwards = { e: "4", b: { d: "3", c: "2" }, a: "1" };
    plant(join(directory, "forwards"), forwards);
    plant(join(directory, "backwards"), backwards);
    const fingerprints = await Promise.all(
      ["forwards", "backwards"].map((name) => fingerprintDirectory(join(directory, name))),
    );
    expect(fingerprints[0]).toBe(fingerprints[1]);
    expect(fingerprints[0]).toBe(reference(forwards));
  });

  test("distinguishes names that are not UTF-8", async () => {
    const [one = "", two = ""] = [0xe9, 0xe8].map((byte) => {
      const directory = temporaryDirectory();
      writeFileSync(Buffer.concat([Buffer.from(`${directory}/`), Buffer.of(byte)]), "same");
      return directory;
    });
    expect(await fingerprintDirectory(one)).toBe(sha256(sha256(Buffer.of(0xe9)) + sha256("same")));
    expect(await fingerprintDirectory(two)).not.toBe(await fingerprintDirectory(one));
  });

  test("covers the target of a link to a directory as bytes, which need not be UTF-8", async () => {
    const directory = temporaryDirectory();
    const name = Buffer.of(0xe9);
    mkdirSync(Buffer.concat([Buffer.from(`${directory}/`), name]));
    symlinkSync(name, join(directory, "link"));
    expect(await fingerprintDirectory(directory)).toBe(sha256(sha256("link") + sha256(name) + sha256(name)));
  });

  test("follows a link that is given as the directory", async () => {
    const directory = planted({ real: { file: "x" }, link: new Link("real") });
    expect(await fingerprintDirectory(join(directory, "link"))).toBe(reference({ file: "x" }));
  });
});

describe("a directory that cannot be fingerprinted", () => {
  test("is rejected if it is a file, with the artifact type to use", async () => {
    const path = join(planted({ "app.bin": "x" }), "app.bin");
    const error = await refusal(fingerprintDirectory(path));
    expect(error.message).toBe(`artifact: '${path}' is a file, not a directory`);
    expect(error.advice).toContain("artifact-type: file");
  });

  test("is rejected if it does not exist", async () => {
    const path = join(temporaryDirectory(), "absent");
    const { message, advice, cause } = await refusal(fingerprintDirectory(path));
    expect(message).toBe(`artifact: '${path}' does not exist`);
    expect(advice).toBe(`Build or download it in an earlier step of this job. Looked for '${path}'.`);
    expect(cause).toMatchObject({ code: "ENOENT" });
  });

  test("is rejected if it contains a broken link, which the error names", async () => {
    const directory = planted({ broken: new Link("nowhere") });
    const { message } = await refusal(fingerprintDirectory(directory));
    expect(message).toBe(`artifact: '${directory}/broken' points to something that does not exist`);
  });

  test("is rejected if it is a FIFO, for which no artifact type is suggested", async () => {
    const path = join(temporaryDirectory(), "pipe");
    execFileSync("mkfifo", [path]);
    const { message, advice } = await refusal(fingerprintDirectory(path));
    expect([message, advice]).toEqual([`artifact: '${path}' is a FIFO, not a directory`, ""]);
  });

  /** A directory with an entry of this name that may not be read. */
  function unreadable(name: string): string {
    const directory = planted({ folder: { "a.txt": "a" }, file: "f", ".kosli_ignore": "" });
    chmodSync(directory, 0o755);
    chmodSync(join(directory, name), 0o000);
    becomeOrdinaryUser();
    return directory;
  }

  test.each(["folder", "file"])("is rejected if '%s' in it may not be read", async (name) => {
    const directory = unreadable(name);
    const { message, cause } = await refusal(fingerprintDirectory(directory));
    expect(message).toBe(`artifact: '${directory}/${name}' cannot be read: permission denied`);
    expect(cause).toMatchObject({ code: "EACCES" });
    expect(await fingerprintDirectory(directory, { exclude: [name] })).toMatch(/^[0-9a-f]{64}$/);
  });

  test("is rejected if its ignore file may not be read, though that is excluded", async () => {
    const directory = unreadable(".kosli_ignore");
    const { message } = await refusal(fingerprintDirectory(directory, { exclude: [".kosli_ignore"] }));
    expect(message).toBe(`artifact: '${directory}/.kosli_ignore' cannot be read: permission denied`);
  });

  test("is rejected if it contains a FIFO or a link to one, without opening it", async () => {
    const directory = planted({ link: new Link("z-pipe") });
    execFileSync("mkfifo", [join(directory, "z-pipe")]);
    const through = await refusal(fingerprintDirectory(directory));
    expect(through.message).toBe(`artifact: '${directory}/link' is a FIFO and has no content to fingerprint`);
    expect(through.advice).toBe("Exclude it with a line in .kosli_ignore.");
    const direct = await refusal(fingerprintDirectory(directory, { exclude: ["link"] }));
    expect(direct.message).toContain(`'${directory}/z-pipe' is a FIFO`);
    expect(await fingerprintDirectory(directory, { exclude: ["link", "z-pipe"] })).toBe(sha256(""));
  });
});

import { execFileSync } from "node:child_process";
import { appendFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type AttachmentRequest, collectAttachments } from "../../src/evidence/attachments.ts";
import { bytesOf } from "./file-bytes.ts";
import { becomeOrdinaryUser } from "./ordinary-user.ts";
import { problemsOf, refusal } from "./refusal.ts";
import { Link, plant, planted, temporaryDirectory } from "./temporary-directory.ts";

function request(
  workspace: string,
  patterns: string[],
  rest: Partial<AttachmentRequest> = {},
): AttachmentRequest {
  return { patterns, workspace, allowOutsideWorkspace: false, ifNoFilesFound: "error", ...rest };
}

async function pathsOf(workspace: string, ...patterns: string[]): Promise<(string | undefined)[]> {
  return (await collectAttachments(request(workspace, patterns))).files.map(({ path }) => path);
}

describe("files to attach", () => {
  test("have their base name and their exact bytes", async () => {
    const bytes = Buffer.from([0, 13, 10, 255, 10]);
    const workspace = planted({ reports: { "r.bin": bytes } });
    const { files, warnings } = await collectAttachments(request(workspace, ["reports/r.bin"]));
    expect(warnings).toEqual([]);
    expect(files.map(({ name, path }) => ({ name, path }))).toEqual([
      { name: "r.bin", path: "reports/r.bin" },
    ]);
    expect(await bytesOf(files)).toEqual(bytes);
  });

  test("keep names with line breaks, quotes and any script", async () => {
    const names = ["a\nb.txt", 'quo"te.txt', "日本語.txt", "it's; $(x).txt"];
    const workspace = planted(Object.fromEntries(names.map((name) => [name, name])));
    const { files } = await collectAttachments(request(workspace, names));
    expect(files.map(({ name }) => name)).toEqual(names);
    expect(await Promise.all(files.map(({ content }) => content.text()))).toEqual(names);
    expect(await pathsOf(workspace, "*.txt")).toEqual([...names].sort());
  });

  test("may be empty", async () => {
    const { files } = await collectAttachments(request(planted({ empty: "" }), ["empty"]));
    expect(files.map(({ content }) => content.size)).toEqual([0]);
  });

  test("follow the order of the patterns and, for a glob, the byte order of their paths", async () => {
    const workspace = planted({ "z.log": "", "b.xml": "", "é.xml": "", "B.xml": "", sub: { "a.xml": "" } });
    expect(await pathsOf(workspace, "z.log", "**/*.xml")).toEqual([
      "z.log",
      "B.xml",
      "b.xml",
      "sub/a.xml",
      "é.xml",
    ]);
  });

  test("are included once, however many patterns and links lead to them", async () => {
    const workspace = planted({ "a.xml": "a", "b.xml": "b", link: new Link("a.xml") });
    expect(await pathsOf(workspace, "a.xml", "./a.xml", "link", "*.xml", join(workspace, "b.xml"))).toEqual([
      "a.xml",
      "b.xml",
    ]);
  });

  test("are found by a literal path even when their names look like globs", async () => {
    const workspace = planted({ "[x].xml": "literal", "x.xml": "other", "a*": "literal", ab: "other" });
    expect(await pathsOf(workspace, "[x].xml", "a*")).toEqual(["[x].xml", "a*"]);
  });

  test("are excluded by patterns that start with an exclamation mark, in any position", async () => {
    const workspace = planted({ "a.xml": "", "b.xml": "", tmp: { "c.xml": "" } });
    expect(await pathsOf(workspace, "!b.xml", "**/*.xml", "!tmp")).toEqual(["a.xml"]);
  });

  test("are matched by globs without dot files, directories and anything in .git", async () => {
    const workspace = planted({
      "a.xml": "",
      ".b.xml": "",
      dir: { "c.xml": "", ".d": { "e.xml": "" }, ".git": { "f.xml": "" } },
      ".git": { config: "token", "g.xml": "" },
    });
    expect(await pathsOf(workspace, "**")).toEqual(["a.xml", "dir/c.xml"]);
    expect(await pathsOf(workspace, ".b*", "dir/.d/*")).toEqual([".b.xml", "dir/.d/e.xml"]);
    expect(
      await problemsOf(collectAttachments(request(workspace, [".git/*", "**/.git/**", ".g*/*.xml"]))),
    ).toEqual(["no file matches '.git/*'", "no file matches '**/.git/**'", "no file matches '.g*/*.xml'"]);
  });
});

test("are none without patterns, which is not an error", async () => {
  expect(await collectAttachments(request(temporaryDirectory(), []))).toEqual({ files: [], warnings: [] });
});

test("require an existing workspace, which the error names", async () => {
  const workspace = join(temporaryDirectory(), "gone");
  expect((await refusal(collectAttachments(request(workspace, ["a"])))).message).toBe(
    `workspace: '${workspace}' does not exist`,
  );
});

describe("missing files", () => {
  const patterns = ["absent.xml", "*.none", "gone/"];
  const problems = ["'absent.xml' does not exist", "no file matches '*.none'", "'gone' does not exist"];

  test("cause an error that names each of them", async () => {
    expect(await problemsOf(collectAttachments(request(temporaryDirectory(), patterns)))).toEqual(problems);
  });

  test("cause a warning that names each of them, when that is allowed", async () => {
    const workspace = planted({ "a.xml": "" });
    const attachments = request(workspace, [...patterns, "a.xml"], { ifNoFilesFound: "warn" });
    const { files, warnings } = await collectAttachments(attachments);
    expect(warnings).toEqual(problems);
    expect(files.map(({ name }) => name)).toEqual(["a.xml"]);
  });

  test("are ignored, when that is allowed", async () => {
    const attachments = request(temporaryDirectory(), patterns, { ifNoFilesFound: "ignore" });
    expect(await collectAttachments(attachments)).toEqual({ files: [], warnings: [] });
  });

  test("include a glob whose matches are all excluded", async () => {
    const workspace = planted({ "a.log": "" });
    expect(await problemsOf(collectAttachments(request(workspace, ["*.log", "!a.log"])))).toEqual([
      "no file matches '*.log'",
    ]);
  });

  test("include the target of a broken link, which is never skipped", async () => {
    const workspace = planted({ "broken.xml": new Link("nowhere"), file: "", through: new Link("file/x") });
    for (const pattern of ["broken.xml", "*.xml"]) {
      const attachments = request(workspace, [pattern], { ifNoFilesFound: "ignore" });
      expect(await problemsOf(collectAttachments(attachments))).toEqual([
        "'broken.xml' is a link to 'nowhere', which does not exist",
      ]);
    }
    const attachments = request(workspace, ["through"], { ifNoFilesFound: "ignore" });
    expect(await problemsOf(collectAttachments(attachments))).toEqual([
      "'through' is a link to 'file/x', which does not exist",
    ]);
  });
});

describe("a forbidden attachment", () => {
  test("is a directory, with the advice to use a glob or an archive", async () => {
    const workspace = planted({ reports: { "a.xml": "" } });
    expect(await problemsOf(collectAttachments(request(workspace, ["reports", "."])))).toEqual([
      "'reports' is a directory: use a glob such as 'reports/**/*', or set archive-attachments: true",
      "'.' is a directory: use a glob such as '**/*', or set archive-attachments: true",
    ]);
    expect(await pathsOf(workspace, "reports/**/*")).toEqual(["reports/a.xml"]);
  });

  test("is a FIFO, socket or device, by name, by glob or through a link, and none is opened", async () => {
    const workspace = planted({ link: new Link("pipe") });
    execFileSync("mkfifo", [join(workspace, "pipe")]);
    const server = createServer();
    await new Promise<void>((listening) => server.listen(join(workspace, "sock"), listening));
    onTestFinished(() => void server.close());
    const attachments = request(workspace, ["pipe", "p*", "link", "sock", "/dev/zero"], {
      allowOutsideWorkspace: true,
    });
    expect(await problemsOf(collectAttachments(attachments))).toEqual([
      "'pipe' is a FIFO, which cannot be sent",
      "'pipe' is a FIFO, which cannot be sent",
      "'link' is a FIFO, which cannot be sent",
      "'sock' is a socket, which cannot be sent",
      "'/dev/zero' is a character device, which cannot be sent",
    ]);
  });

  test("is a file that reports size 0 and has content", async () => {
    const attachments = request(temporaryDirectory(), ["/proc/self/status"], { allowOutsideWorkspace: true });
    const [problem] = await problemsOf(collectAttachments(attachments));
    expect(problem).toContain("has no size, so it cannot be sent");
  });

  test("is anything outside the workspace, by any path, and the error shows both paths", async () => {
    const parent = planted({ secret: "s", "w-sibling": { file: "x" } });
    const workspace = plant(join(parent, "w"), {
      "link.xml": new Link("../secret"),
      dirlink: new Link("../w-sibling"),
      twice: new Link("link.xml"),
    });
    const outside = (shown: string, real: string) =>
      `'${shown}' is outside the workspace: '${real}' is not in '${workspace}'`;
    const patterns = ["link.xml", "*.xml", "dirlink", "dirlink/*", "twice", "../secret", "../w-s*/*"];
    expect(await problemsOf(collectAttachments(request(workspace, patterns)))).toEqual([
      outside("link.xml", `${parent}/secret`),
      outside("link.xml", `${parent}/secret`),
      outside("dirlink", `${parent}/w-sibling`),
      outside("dirlink/file", `${parent}/w-sibling/file`),
      outside("twice", `${parent}/secret`),
      outside(`${parent}/secret`, `${parent}/secret`),
      outside("../w-s*/*", `${parent}/w-s*/*`),
    ]);
    expect(await problemsOf(collectAttachments(request(workspace, ["/etc/passwd"])))).toEqual([
      outside("/etc/passwd", "/etc/passwd"),
    ]);
  });

  test("is allowed outside the workspace when the caller permits it", async () => {
    const parent = planted({ secret: "s", sibling: { file: "x" } });
    const workspace = plant(join(parent, "w"), { "link.xml": new Link("../secret") });
    const attachments = request(workspace, ["link.xml", "../sibling/*"], { allowOutsideWorkspace: true });
    const { files } = await collectAttachments(attachments);
    expect(files.map(({ name, path }) => [name, path])).toEqual([
      ["link.xml", "link.xml"],
      ["file", `${parent}/sibling/file`],
    ]);
  });

  test("is not a link that stays inside, nor a file in a workspace that is itself a link", async () => {
    const parent = planted({
      real: { a: { "x.xml": "x" }, "in.xml": new Link("a/x.xml") },
      w: new Link("real"),
    });
    const { files } = await collectAttachments(request(join(parent, "w"), ["in.xml"]));
    expect(files.map(({ name, path }) => [name, path])).toEqual([["in.xml", "in.xml"]]);
    expect(await pathsOf(join(parent, "w"), "**/x.xml", join(parent, "real/a/*"))).toEqual(["a/x.xml"]);
  });

  test.each([".git/config", "./.git/config", ".git//config", ".git", "sub/.GIT/config", "link/config"])(
    "is %s, since checkouts keep their token in .git",
    async (path) => {
      const workspace = planted({
        ".git": { config: "token" },
        sub: { ".GIT": { config: "token" } },
        link: new Link(".git"),
      });
      expect(await problemsOf(collectAttachments(request(workspace, [path])))).toEqual([
        expect.stringContaining("is in .git, which may contain a token and is never sent"),
      ]);
    },
  );

  test("is the target of a link into .git, where checkouts keep their token", async () => {
    const workspace = planted({ ".git": { config: "token" }, "report.xml": new Link(".git/config") });
    expect(await problemsOf(collectAttachments(request(workspace, ["*.xml"])))).toEqual([
      `'report.xml' is in .git, which may contain a token and is never sent: '${workspace}/.git/config'`,
    ]);
  });

  test("is a circular link", async () => {
    const workspace = planted({ loop: new Link("loop") });
    expect(await problemsOf(collectAttachments(request(workspace, ["loop"])))).toEqual([
      "'loop' is a circular link",
    ]);
  });

  test("is a file without read permission", async () => {
    const workspace = planted({ private: "x" });
    execFileSync("chmod", ["755", workspace]);
    execFileSync("chmod", ["000", join(workspace, "private")]);
    becomeOrdinaryUser();
    const problems = await problemsOf(collectAttachments(request(workspace, ["private"])));
    expect(problems).toEqual(["'private' cannot be read: permission denied"]);
  });

  test("is a file over 10 MB: a file of exactly that size passes, and the others are listed", async () => {
    const limit = 10 * 1024 * 1024;
    const workspace = planted({ exact: "", over: "", "report.html": "" });
    truncateSync(join(workspace, "exact"), limit);
    truncateSync(join(workspace, "over"), limit + 1);
    truncateSync(join(workspace, "report.html"), Math.floor(11.2 * 1024 * 1024));
    expect(await pathsOf(workspace, "exact")).toEqual(["exact"]);
    expect(await problemsOf(collectAttachments(request(workspace, ["*", "report.html"])))).toEqual([
      "attachment 'over' is 10.1 MB; the limit is 10 MB",
      "attachment 'report.html' is 11.2 MB; the limit is 10 MB",
    ]);
  });

  test("is a sparse file, also when its size exceeds 32 bits", async () => {
    const workspace = planted({ "4g": "", "1t": "" });
    // In 32 bits, the first size would be five bytes.
    truncateSync(join(workspace, "4g"), 2 ** 32 + 5);
    truncateSync(join(workspace, "1t"), 2 ** 40);
    expect(await problemsOf(collectAttachments(request(workspace, ["4g", "1t"])))).toEqual([
      "attachment '4g' is 4096.1 MB; the limit is 10 MB",
      "attachment '1t' is 1048576.0 MB; the limit is 10 MB",
    ]);
  });

  test("is a pattern that expands to millions, also as an exclusion, whose files would then be sent", async () => {
    const workspace = planted({ "a.xml": "" });
    for (const pattern of ["{a,b}".repeat(30), "{1..100000000}.xml", `!${"{a,b}".repeat(30)}`]) {
      const [problem] = await problemsOf(collectAttachments(request(workspace, ["*.xml", pattern])));
      expect(problem, pattern).toContain("expands to more than 1000 patterns");
    }
  });

  test("is a file with a name that is not UTF-8, even when no match is required", async () => {
    const workspace = temporaryDirectory();
    const name = [Buffer.from(join(workspace, "caf")), Buffer.from([0xe9]), Buffer.from(".xml")];
    writeFileSync(Buffer.concat(name), "x");
    const [problem] = await problemsOf(
      collectAttachments(request(workspace, ["*.xml"], { ifNoFilesFound: "ignore" })),
    );
    expect(problem).toContain("has a name that is not UTF-8, so it cannot be read: rename it");
  });

  test("is a twenty-first file", async () => {
    const workspace = planted(Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`f${i + 10}`, ""])));
    expect(await pathsOf(workspace, "*", "!f30")).toHaveLength(20);
    expect(await problemsOf(collectAttachments(request(workspace, ["*"])))).toEqual([
      "at most 20 files can be attached, not 21: set archive-attachments: true to send them as one archive",
    ]);
  });

  test("is reported in one error with every problem of every pattern, under the input's name", async () => {
    const workspace = planted({ dir: {}, ok: "" });
    const error = await refusal(collectAttachments(request(workspace, ["dir", "ok", "absent", "*.none"])));
    expect(error.problems.map(({ input }) => input)).toEqual(["attachments", "attachments", "attachments"]);
    expect(error.details).toHaveLength(3);
  });
});

test.each<[change: string, make: (path: string) => void]>([
  ["grew", (path) => appendFileSync(path, "more")],
  ["shrank", (path) => truncateSync(path, 1)],
  ["vanished", (path) => rmSync(path)],
  ["became a link", (path) => renameSync(path, `${path}.old`) ?? symlinkSync("/etc/hostname", path)],
  ["became another file", (path) => writeFileSync(`${path}.new`, "other") ?? renameSync(`${path}.new`, path)],
])("a file that %s after it was collected cannot be read, and is not partly sent", async (_change, make) => {
  const workspace = planted({ "a.txt": "before" });
  const { files } = await collectAttachments(request(workspace, ["a.txt"]));
  make(join(workspace, "a.txt"));
  await expect(files[0]?.content.arrayBuffer()).rejects.toMatchObject({ name: "NotReadableError" });
});

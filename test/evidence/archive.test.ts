import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { unpackTar } from "modern-tar";
import { describe, expect, test } from "vitest";
import { archiveAttachments } from "../../src/evidence/archive.ts";
import type { AttachmentRequest } from "../../src/evidence/attachments.ts";
import { bytesOf } from "./file-bytes.ts";
import { problemsOf } from "./refusal.ts";
import { Link, plant, planted, temporaryDirectory } from "./temporary-directory.ts";

function request(
  workspace: string,
  patterns: string[],
  rest: Partial<AttachmentRequest> = {},
): AttachmentRequest {
  return { patterns, workspace, allowOutsideWorkspace: false, ifNoFilesFound: "error", ...rest };
}

async function packed(
  workspace: string,
  patterns: string[],
  rest: Partial<AttachmentRequest> = {},
): Promise<Buffer> {
  const { files } = await archiveAttachments(request(workspace, patterns, rest));
  expect(files.map(({ name }) => name)).toEqual(["evidence.tgz"]);
  return await bytesOf(files);
}

/** The entries in order, checked against the system's own tar. */
async function contents(archive: Buffer): Promise<[name: string, text: string][]> {
  const entries = await unpackTar(gunzipSync(archive), { strict: true });
  return entries.map(({ header, data }) => [header.name, Buffer.from(data ?? []).toString()]);
}

describe("the archive of attachments", () => {
  test("contains files and whole directories under their paths in the workspace, in byte order", async () => {
    const workspace = planted({
      "z.log": "z",
      reports: {
        "b.xml": "b",
        "a.xml": "a",
        deep: { "é\n.xml": "e" },
        ".hidden": "h",
        ".git": { config: "token" },
        ".GIT": { config: "token" },
      },
    });
    expect(await contents(await packed(workspace, ["z.log", "reports", "reports/a.xml"]))).toEqual([
      ["reports/.hidden", "h"],
      ["reports/a.xml", "a"],
      ["reports/b.xml", "b"],
      ["reports/deep/é\n.xml", "e"],
      ["z.log", "z"],
    ]);
  });

  test("is readable by the system's tar, long names included", async () => {
    const long = `${"d".repeat(90)}/${"é".repeat(100)}/file.txt`;
    const workspace = planted({ [long]: "deep", "plain.txt": "plain" });
    const archive = join(workspace, "out.tgz");
    writeFileSync(archive, await packed(workspace, ["d*/*/*", "plain.txt"]));
    const listing = execFileSync("tar", ["--quoting-style=literal", "-tzf", archive], { encoding: "utf8" });
    expect(listing.trim().split("\n")).toEqual([long, "plain.txt"]);
    expect(execFileSync("tar", ["-xzOf", archive, "plain.txt"], { encoding: "utf8" })).toBe("plain");
  });

  test("has the same bytes for the same files, whatever their times, modes and order of creation", async () => {
    const names = fc.stringMatching(/^[a-zé日]{1,12}$/);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, fc.string(), { minKeys: 1, maxKeys: 6 }), async (files) => {
        const forwards = planted({ d: files });
        const backwards = planted({ d: Object.fromEntries(Object.entries(files).reverse()) });
        for (const name of Object.keys(files)) {
          utimesSync(join(backwards, "d", name), 1, 1);
          chmodSync(join(backwards, "d", name), 0o700);
        }
        expect(await packed(forwards, ["d"])).toEqual(await packed(backwards, ["d/*"]));
      }),
      { numRuns: 30 },
    );
  });

  test("contains no time or system in its gzip header, and no owner in its entries", async () => {
    const archive = await packed(planted({ a: "a" }), ["a"]);
    expect([...archive.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
    const [entry] = await unpackTar(gunzipSync(archive));
    expect(entry?.header).toMatchObject({
      mode: 0o644,
      uid: 0,
      gid: 0,
      mtime: new Date(0),
      uname: "",
      gname: "",
    });
  });

  test("contains the targets of links inside the workspace, and omits excluded files", async () => {
    const workspace = planted({
      runs: { one: { "r.txt": "1", "secret.txt": "s" } },
      pack: { latest: new Link("../runs/one"), file: new Link("../runs/one/r.txt") },
    });
    expect(await contents(await packed(workspace, ["pack", "!pack/latest/secret.txt"]))).toEqual([
      ["pack/file", "1"],
      ["pack/latest/r.txt", "1"],
    ]);
  });

  test("never names a path that would unpack outside its directory", async () => {
    const parent = planted({ shared: { "s.txt": "s" } });
    const workspace = plant(join(parent, "w"), {});
    const archive = await packed(workspace, ["../shared", "../shared/*"], { allowOutsideWorkspace: true });
    expect(await contents(archive)).toEqual([[`${parent.slice(1)}/shared/s.txt`, "s"]]);
  });

  test("accepts more files, and larger ones, than could be attached one by one", async () => {
    const workspace = planted({
      many: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, "x"])),
    });
    writeFileSync(join(workspace, "many/large"), Buffer.alloc(11 * 1024 * 1024));
    expect(await contents(await packed(workspace, ["many"]))).toHaveLength(31);
  });
});

describe("an archive is rejected", () => {
  test("when it is over the limit after packing, with its size", async () => {
    const workspace = planted({ "noise.bin": randomBytes(10.5 * 1024 * 1024) });
    const [problem] = await problemsOf(archiveAttachments(request(workspace, ["noise.bin"])));
    expect(problem).toBe("evidence.tgz, packed from 1 file, is 10.6 MB; the limit is 10 MB");
  });

  test("at once when it can never fit, and for a name that is not UTF-8", async () => {
    const workspace = planted({ big: "", d: {} });
    truncateSync(join(workspace, "big"), 2 ** 40);
    writeFileSync(Buffer.concat([Buffer.from(join(workspace, "d/caf")), Buffer.from([0xe9])]), "x");
    expect(await problemsOf(archiveAttachments(request(workspace, ["big"])))).toEqual([
      expect.stringContaining("the content of evidence.tgz is 1048576.0 MB"),
    ]);
    const [problem] = await problemsOf(archiveAttachments(request(workspace, ["d"])));
    expect(problem).toContain("has a name that is not UTF-8");
  });

  test("when it grows far over the limit, without packing all of it", async () => {
    const workspace = planted({});
    const noise = randomBytes(10 * 1024 * 1024);
    for (let file = 10; file < 17; file++) writeFileSync(join(workspace, `n${file}`), noise);
    const [problem] = await problemsOf(archiveAttachments(request(workspace, ["."])));
    expect(problem).toMatch(/packed from a part of 7 files, is 3\d\.\d MB/);
  });

  test("for a FIFO, a broken link, a link outside or a link to itself anywhere in a directory, in one error", async () => {
    const workspace = planted({
      d: { broken: new Link("nowhere"), deep: { up: new Link("../../d"), out: new Link("/etc/passwd") } },
    });
    execFileSync("mkfifo", [join(workspace, "d/pipe")]);
    expect((await problemsOf(archiveAttachments(request(workspace, ["d", "absent"])))).sort()).toEqual([
      "'absent' does not exist",
      "'d/broken' is a link to 'nowhere', which does not exist",
      `'d/deep/out' is outside the workspace: '/etc/passwd' is not in '${workspace}'`,
      "'d/deep/up' is a link to one of its own parent directories",
      "'d/pipe' is a FIFO, which cannot be sent",
    ]);
  });

  test("for a directory without files, unless that is allowed", async () => {
    const workspace = planted({ empty: { deeper: {} } });
    expect(await problemsOf(archiveAttachments(request(workspace, ["empty"])))).toEqual([
      "'empty' contains no files",
    ]);
    expect(await archiveAttachments(request(workspace, ["empty"], { ifNoFilesFound: "warn" }))).toEqual({
      files: [],
      warnings: ["'empty' contains no files"],
    });
  });

  test("for a file that reports size 0 and has content, which would be packed as empty", async () => {
    const attachments = request(temporaryDirectory(), ["/proc/self/status"], { allowOutsideWorkspace: true });
    const [problem] = await problemsOf(archiveAttachments(attachments));
    expect(problem).toContain("has no size, so it cannot be sent");
  });

  test("for exclusions without an inclusion", async () => {
    expect(await problemsOf(archiveAttachments(request(temporaryDirectory(), ["!a"])))).toEqual([
      "must have a pattern that does not start with '!'",
    ]);
  });
});

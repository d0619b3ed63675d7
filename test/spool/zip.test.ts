import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { unpackSpool } from "../../src/spool/unpack.ts";
import { withZip } from "../../src/spool/zip.ts";
import { temporaryFolder } from "./fixtures.ts";
import { zipOf } from "./zip-archive.ts";

/**
 * Made by Python's zipfile into a stream, as workflow artifacts are made: sizes stand behind the files. It has a
 * deflated file, a stored one, and an empty one with a name outside of ASCII.
 */
const STREAMED =
  "UEsDBBQACAAIAHCkdV0AAAAAAAAAAAAAAAARAAAAYS9zdWJtaXNzaW9uLmpzb26rVspIzcnJV7JSUCrPL8pJUdJRUEpMT8zMg4soIJFKtQBQ" +
  "SwcIknYktyEAAAAwAAAAUEsDBBQACAAAAHCkdV0AAAAAAAAAAAAAAAAJAAAAYS9maWxlcy8wAP9QSwcIcv3bbAIAAAACAAAAUEsDBBQACAgI" +
  "AHCkdV0AAAAAAAAAAAAAAAALAAAAZ3LDtsOfZS50eHQDAFBLBwgAAAAAAgAAAAAAAABQSwECFAMUAAgACABwpHVdknYktyEAAAAwAAAAEQAA" +
  "AAAAAAAAAAAAgAEAAAAAYS9zdWJtaXNzaW9uLmpzb25QSwECFAMUAAgAAABwpHVdcv3bbAIAAAACAAAACQAAAAAAAAAAAAAAgAFgAAAAYS9m" +
  "aWxlcy8wUEsBAhQDFAAICAgAcKR1XQAAAAACAAAAAAAAAAsAAAAAAAAAAAAAAIABmQAAAGdyw7bDn2UudHh0UEsFBgAAAAADAAMArwAAANQA" +
  "AAAAAA==";

/** The files of an archive by name. */
async function filesOf(archive: Buffer): Promise<Record<string, string>> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "a.zip");
  await writeFile(path, archive);
  return await withZip(path, async (files) => {
    const read: Record<string, string> = {};
    for (const file of files) read[file.name] = (await file.read()).toString("latin1");
    return read;
  });
}

describe("an archive", () => {
  test("is read as others make it", async () => {
    expect(await filesOf(Buffer.from(STREAMED, "base64"))).toEqual({
      "a/submission.json": '{"hello": "world", "again": "world world world"}',
      "a/files/0": "\0\xff",
      "größe.txt": "",
    });
  });

  test("may have a comment, and be empty", async () => {
    const comment = Buffer.from("PK: made by hand");
    const archive = Buffer.concat([zipOf({ a: "1" }), comment]);
    archive.writeUInt16LE(comment.length, archive.length - comment.length - 2);
    expect(await filesOf(archive)).toEqual({ a: "1" });
    expect(await filesOf(zipOf({}))).toEqual({});
  });

  test("is not read when any of its bytes was lost or changed", async () => {
    const whole = Buffer.from(STREAMED, "base64");
    const expected = await filesOf(whole);
    for (let length = 0; length < whole.length; length += 7) {
      await expect(filesOf(whole.subarray(0, length)), `${length}`).rejects.toThrow(/ZIP|cut off|damaged/);
    }
    for (let at = 47; at < 80; at++) {
      const changed = Buffer.from(whole);
      changed.writeUInt8(changed.readUInt8(at) ^ 0x11, at);
      // Some bits of what is packed mean nothing.
      const read = await filesOf(changed).catch((error: Error) => error.message);
      if (typeof read === "string") expect(read, `${at}`).toContain("'a/submission.json'");
      else expect(read, `${at}`).toEqual(expected);
    }
  });

  test("that unpacks to more than it says is stopped", async () => {
    const bomb = zipOf({ zeros: Buffer.alloc(50_000_000) });
    const list = bomb.lastIndexOf(Buffer.from("PK\x01\x02"));
    bomb.writeUInt32LE(10, list + 24);
    await expect(filesOf(bomb)).rejects.toThrow("'zeros' cannot be unpacked");
  });

  test("of more than 4 GB, or that is encrypted, is refused with the reason", async () => {
    const large = zipOf({ a: "1" });
    large.writeUInt32LE(0xffffffff, large.length - 6);
    await expect(filesOf(large)).rejects.toThrow("larger than 4 GB");
    const locked = zipOf({ a: "1" });
    locked.writeUInt16LE(1, locked.lastIndexOf(Buffer.from("PK\x01\x02")) + 8);
    await expect(filesOf(locked)).rejects.toThrow("'a' is packed in a way that is not read here");
  });
});

describe("unpacking a spool", () => {
  const NAME = "20261121T100000000Z-000000-ffffffff";

  test("takes submissions and their files, and nothing that leads elsewhere or tells what is on record", async () => {
    await using folder = await temporaryFolder();
    const archive = join(folder.path, "a.zip");
    const wanted = { [`${NAME}/submission.json`]: "{}", [`${NAME}/files/0`]: "log" };
    await writeFile(
      archive,
      zipOf({
        ...wanted,
        [`${NAME}/recorded.json`]: "{}",
        [`${NAME}/files/../../../evil`]: "x",
        [`${NAME}/files/..`]: "x",
        [`../${NAME}/submission.json`]: "x",
        "/tmp/evil": "x",
        [`${NAME}\\submission.json`]: "x",
        "README.md": "x",
      }),
    );
    await unpackSpool(archive, join(folder.path, "out"));
    const found = await readdir(folder.path, { recursive: true, withFileTypes: true });
    const files = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    expect(files.sort()).toEqual(
      [archive, ...Object.keys(wanted).map((name) => join(folder.path, "out", name))].sort(),
    );
    expect(await readFile(join(folder.path, "out", NAME, "files", "0"), "utf8")).toBe("log");
  });

  test("refuses a file that is larger than any submission has", async () => {
    await using folder = await temporaryFolder();
    const archive = join(folder.path, "a.zip");
    await writeFile(archive, zipOf({ [`${NAME}/files/0`]: Buffer.alloc(10 * 1024 * 1024 + 1) }));
    await expect(unpackSpool(archive, join(folder.path, "out"))).rejects.toThrow(
      "larger than anything that is kept",
    );
  });
});

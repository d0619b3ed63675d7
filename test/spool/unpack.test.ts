import { lstat, readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { unpackSpool, ZipError } from "../../src/spool/unpack.ts";
import { temporaryFolder } from "./fixtures.ts";
import { zipOf } from "./zip-archive.ts";

const NAME = "20261121T100000000Z-000000-ffffffff";
const SUBMISSION = `${NAME}/submission.json`;
const FILE = `${NAME}/files/0`;

/**
 * Made by Python's zipfile as a stream, as workflow artifacts are: sizes follow the files. It has a deflated
 * submission.json, a stored file of it, and an empty file with a name outside ASCII.
 */
const STREAMED = Buffer.from(
  "UEsDBBQACAAIAHCkdV0AAAAAAAAAAAAAAAAzAAAAMjAyNjExMjFUMTAwMDAwMDAwWi0wMDAwMDAtZmZmZmZmZmYvc3VibWlzc2lvbi5qc29uq1bK" +
    "SM3JyVeyUlAqzy/KSVHSUVBKTE/MzIOLKCCRSrUAUEsHCJJ2JLchAAAAMAAAAFBLAwQUAAgAAABwpHVdAAAAAAAAAAAAAAAAKwAAADIwMjYxMTIx" +
    "VDEwMDAwMDAwMFotMDAwMDAwLWZmZmZmZmZmL2ZpbGVzLzAA/1BLBwhy/dtsAgAAAAIAAABQSwMEFAAICAgAcKR1XQAAAAAAAAAAAAAAAAsAAABn" +
    "csO2w59lLnR4dAMAUEsHCAAAAAACAAAAAAAAAFBLAQIUAxQACAAIAHCkdV2SdiS3IQAAADAAAAAzAAAAAAAAAAAAAACAAQAAAAAyMDI2MTEyMVQx" +
    "MDAwMDAwMDBaLTAwMDAwMC1mZmZmZmZmZi9zdWJtaXNzaW9uLmpzb25QSwECFAMUAAgAAABwpHVdcv3bbAIAAAACAAAAKwAAAAAAAAAAAAAAgAGC" +
    "AAAAMjAyNjExMjFUMTAwMDAwMDAwWi0wMDAwMDAtZmZmZmZmZmYvZmlsZXMvMFBLAQIUAxQACAgIAHCkdV0AAAAAAgAAAAAAAAALAAAAAAAAAAAA" +
    "AACAAd0AAABncsO2w59lLnR4dFBLBQYAAAAAAwADAPMAAAAYAQAAAAA=",
  "base64",
);
const UNPACKED = {
  [`out/${SUBMISSION}`]: '{"hello": "world", "again": "world world world"}',
  [`out/${FILE}`]: "\0\xff",
};

/** Unpacks an archive into `out` and returns all files in it, by path. */
async function unpack(archive: Buffer, limits?: Parameters<typeof unpackSpool>[2]) {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "a.zip");
  await writeFile(path, archive);
  const outcome = await unpackSpool(path, join(folder.path, "out"), limits).catch((error: unknown) => error);
  const files: Record<string, string> = {};
  for (const entry of await readdir(folder.path, { recursive: true, withFileTypes: true })) {
    const found = join(entry.parentPath, entry.name);
    expect((await lstat(found)).isSymbolicLink()).toBe(false);
    if (entry.isFile() && found !== path) {
      files[relative(folder.path, found)] = await readFile(found, "latin1");
    }
  }
  if (outcome !== undefined && !(outcome instanceof ZipError)) throw outcome;
  return { files, refusal: outcome?.message };
}

/** An archive with other bytes in its central directory, counted from its start. */
function withList(archive: Buffer, change: (list: Buffer) => void): Buffer {
  change(archive.subarray(archive.indexOf("PK\x01\x02")));
  return archive;
}

describe("unpacking a spool", () => {
  test("reads archives of other programs", async () => {
    expect(await unpack(STREAMED)).toEqual({ files: UNPACKED, refusal: undefined });
  });

  test("reads an archive with a comment, and an empty one", async () => {
    const comment = Buffer.from("PK: made by hand");
    const archive = Buffer.concat([zipOf({ [FILE]: "1" }), comment]);
    archive.writeUInt16LE(comment.length, archive.length - comment.length - 2);
    expect(await unpack(archive)).toEqual({ files: { [`out/${FILE}`]: "1" }, refusal: undefined });
    expect(await unpack(zipOf({}))).toEqual({ files: {}, refusal: undefined });
  });

  test("extracts submissions and their files, but not the marks of recorded ones", async () => {
    const wanted = { [SUBMISSION]: "{}", [FILE]: "log" };
    const other = { [`${NAME}/recorded.json`]: "{}", [`${NAME}/files/0/1`]: "x", "README.md": "x" };
    expect(await unpack(zipOf({ ...other, ...wanted }))).toEqual({
      files: { [`out/${SUBMISSION}`]: "{}", [`out/${FILE}`]: "log" },
      refusal: undefined,
    });
  });

  test.each([
    `../${NAME}/submission.json`,
    `${NAME}/files/../../../evil`,
    `${NAME}/files/..`,
    "/tmp/evil",
    "C:/evil",
    `${NAME}\\submission.json`,
  ])("rejects an archive with a path that leads elsewhere: %s", async (name) => {
    const { files, refusal } = await unpack(zipOf({ [name]: "x", [FILE]: "log" }));
    expect({ files, refusal }).toEqual({
      files: {},
      refusal: expect.stringContaining("its list of files is damaged"),
    });
  });

  test("creates no links, whatever file type the archive states", async () => {
    const archive = withList(zipOf({ [FILE]: "/etc/passwd" }), (list) => {
      list.writeUInt16LE(0x0314, 4); // Made on Unix, whose file modes are in the upper half.
      list.writeUInt32LE(0o120777 * 0x10000, 38);
    });
    expect((await unpack(archive)).files).toEqual({ [`out/${FILE}`]: "/etc/passwd" });
  });

  test("extracts nothing different when any byte of an archive was lost or changed", async () => {
    for (let length = 0; length < STREAMED.length; length += 7) {
      const { refusal } = await unpack(STREAMED.subarray(0, length));
      expect(refusal, `${length}`).toMatch(/not a complete ZIP archive/);
    }
    const packed = STREAMED.indexOf(SUBMISSION) + SUBMISSION.length;
    for (let at = packed; at < packed + 33; at++) {
      const changed = Buffer.from(STREAMED);
      changed.writeUInt8(changed.readUInt8(at) ^ 0x11, at);
      const { files, refusal } = await unpack(changed);
      // Some bits of compressed data are unused.
      if (refusal === undefined) expect(files, `${at}`).toEqual(UNPACKED);
      else expect(refusal, `${at}`).toMatch(`'${SUBMISSION}'`);
    }
  });

  test("stops a file that unpacks to more than the archive states", async () => {
    const bomb = withList(zipOf({ [FILE]: Buffer.alloc(50_000_000) }), (list) => list.writeUInt32LE(10, 24));
    const { files, refusal } = await unpack(bomb);
    expect(refusal).toContain(`'${FILE}' cannot be unpacked (too many bytes`);
    expect(files[`out/${FILE}`]?.length ?? 0).toBeLessThanOrEqual(10);
  });

  test("rejects a file that is larger than any submission's", async () => {
    const { files, refusal } = await unpack(zipOf({ [FILE]: Buffer.alloc(10 * 1024 * 1024 + 1) }));
    expect({ files, refusal }).toEqual({ files: {}, refusal: `'${FILE}' exceeds the size limit of a spool` });
  });

  test("rejects an archive that exceeds a spool's limit of bytes or files", async () => {
    const archive = zipOf({ [FILE]: "12345", [`${NAME}/files/1`]: "67890" });
    expect((await unpack(archive, { files: 2, bytes: 10 })).refusal).toBeUndefined();
    expect(await unpack(archive, { files: 2, bytes: 9 })).toEqual({
      files: { [`out/${FILE}`]: "12345" },
      refusal: `'${NAME}/files/1' exceeds the size limit of a spool`,
    });
    expect(await unpack(archive, { files: 1, bytes: 10 })).toEqual({
      files: {},
      refusal: "it has too many files for a spool",
    });
  });

  test("rejects an archive with two files of one name", async () => {
    const archive = zipOf({ [FILE]: "one", [`${NAME}/files/1`]: "two" });
    archive.write("0", archive.lastIndexOf(`${NAME}/files/1`) + `${NAME}/files/`.length);
    expect(await unpack(archive)).toEqual({
      files: { [`out/${FILE}`]: "one" },
      refusal: `it contains '${FILE}' twice`,
    });
  });

  test("rejects an encrypted archive, with the reason", async () => {
    const locked = withList(zipOf({ [FILE]: "1" }), (list) => list.writeUInt16LE(1, 8));
    expect((await unpack(locked)).refusal).toMatch(/'.*files.0' cannot be unpacked \(.*encrypted/);
  });
});

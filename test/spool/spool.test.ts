import { mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isSpoolable, type OperationShape } from "../../src/api/operation.ts";
import { operations } from "../../src/api/resources/operations.ts";
import { openSubmission, readSpool } from "../../src/spool/read.ts";
import { spool } from "../../src/spool/spool.ts";
import { submissionName } from "../../src/spool/submission.ts";
import { connectTo, fileOf, sampleSubmission, sha256, temporaryFolder } from "./fixtures.ts";

const KEY = "de_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";
const connection = connectTo("http://127.0.0.1:9", KEY);
const unit = { attestationName: "unit", isCompliant: true };

describe("a spooled submission", () => {
  test("is read unchanged: every digit of its JSON, every byte of its files, names and types", async () => {
    await using folder = await temporaryFolder();
    const files = [fileOf("größe: 1?.html", "<p>\r\n\0", "text/html"), fileOf("empty", "", "")];
    const userData = {
      id: JSON.parse('{"n":1}', (_, v) => (v === 1 ? JSON.rawJSON("9007199254740993") : v)),
    };
    const submission = await sampleSubmission(connection, { body: { ...unit, userData }, files });
    const name = await spool(folder.path, submission);

    const [kept, ...others] = await readSpool(folder.path);
    expect({ kept: kept?.name, others }).toEqual({ kept: name, others: [] });
    const opened = kept && (await openSubmission(kept));
    const { prepared, ...rest } = submission;
    expect(opened?.submission).toMatchObject(rest);
    expect(opened?.submission?.prepared.json).toBe(prepared.json);
    expect(prepared.json).toContain("9007199254740993");
    const back = opened?.submission?.prepared.files ?? [];
    expect(back.map(([part, { name, content }]) => [part, name, content.type])).toEqual([
      ["attachment_file.0", "größe: 1?.html", "text/html"],
      ["attachment_file.1", "empty", ""],
    ]);
    expect(await Promise.all(back.map(([, file]) => file.content.text()))).toEqual(["<p>\r\n\0", ""]);
  });

  test("contains no key in any form, and only its owner can read it", async () => {
    await using folder = await temporaryFolder();
    await spool(folder.path, await sampleSubmission(connection, { body: unit, files: [fileOf("a", "1")] }));
    const paths = await readdir(folder.path, { recursive: true, withFileTypes: true });
    const files = paths.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    expect(files).toHaveLength(2);
    for (const file of files) {
      const text = await readFile(file, "utf8");
      expect(text).not.toContain(KEY);
      expect(text).not.toContain(Buffer.from(`${KEY}:`).toString("base64").slice(0, 40));
      expect(text).not.toMatch(/authorization|bearer/i);
      expect((await stat(file)).mode & 0o077).toBe(0);
    }
  });

  test("has file names that every workflow artifact accepts", async () => {
    await using folder = await temporaryFolder();
    const name = await spool(
      folder.path,
      await sampleSubmission(connection, { body: unit, files: [fileOf('a"b:<c>|*?\r\n.txt', "1")] }),
    );
    const all = await readdir(join(folder.path, name), { recursive: true });
    expect(all.sort()).toEqual(["files", "files/0", "submission.json"]);
  });
});

describe("names sort in the order of the submissions", () => {
  const at = (time: string) => new Date(`2026-11-21T${time}Z`);

  test("by time, then by number", () => {
    const first = submissionName([], at("10:00:00.000"), "ffffffff");
    const second = submissionName([first], at("10:00:00.000"), "00000000");
    const third = submissionName([second, first], at("10:00:00.001"), "00000000");
    expect([first, second, third]).toEqual([
      "20261121T100000000Z-000000-ffffffff",
      "20261121T100000000Z-000001-00000000",
      "20261121T100000001Z-000000-00000000",
    ]);
  });

  test("also when the clock was set back", () => {
    const first = submissionName([], at("10:00:00.000"), "ffffffff");
    expect(submissionName([first], at("09:00:00.000"), "00000000")).toBe(
      "20261121T100000000Z-000001-00000000",
    );
  });

  test("also across several merged spools", async () => {
    await using folder = await temporaryFolder();
    const submit = async (spooled: string, time: string) =>
      spool(
        join(folder.path, spooled),
        await sampleSubmission(connection, { body: unit, submittedAt: at(time) }),
      );
    const names = [
      await submit("b", "10:00:00.000"),
      await submit("a", "10:00:01.000"),
      await submit("b", "10:00:02.000"),
    ];
    expect((await readSpool(folder.path)).map(({ name }) => name)).toEqual(names);
  });
});

test("an incompletely written submission is ignored", async () => {
  await using folder = await temporaryFolder();
  const vanishing = { name: "gone", content: new Blob(["x"]) };
  Object.defineProperty(vanishing.content, "stream", {
    value: () => {
      throw new Error("it is gone");
    },
  });
  const submission = await sampleSubmission(connection, { body: unit, files: [vanishing] });
  await expect(spool(folder.path, submission)).rejects.toThrow("gone: changed or disappeared");
  expect(await readdir(folder.path)).toEqual([]);
  // As left by a process that was killed.
  await mkdir(join(folder.path, ".writing-1"));
  await writeFile(join(folder.path, ".writing-1", "submission.json"), "{}");
  expect(await readSpool(folder.path)).toEqual([]);
});

describe("damage is reported", () => {
  const cases: [string, (path: string) => Promise<unknown>, string][] = [
    ["a byte changed", (path) => writeFile(join(path, "files/0"), "hellO"), "'log.txt' was modified"],
    ["a truncated file", (path) => truncate(join(path, "files/0"), 2), "'log.txt' has 2 bytes, not 5"],
    ["a file gone", (path) => rm(join(path, "files/0")), "'log.txt' is missing"],
    ["no submission", (path) => rm(join(path, "submission.json")), "it has no submission.json"],
    [
      "half a submission",
      (path) => truncate(join(path, "submission.json"), 100),
      "submission.json has an unsupported format",
    ],
    [
      "another version",
      (path) => edit(path, "delivery-evidence-spool/1", "delivery-evidence-spool/2"),
      "submission.json has an unsupported format: see 'format'",
    ],
    [
      "an operation that cannot be spooled",
      (path) => edit(path, '"attestGeneric"', '"createServiceAccountApiKey"'),
      "'createServiceAccountApiKey' cannot be replayed: only evidence can",
    ],
    [
      "an override",
      (path) => edit(path, '"attestGeneric"', '"overrideAttestation"'),
      "'overrideAttestation' cannot be replayed: only evidence can",
    ],
    [
      "a decision",
      async (path) => {
        await edit(path, '"attestGeneric"', '"attestSystem"');
        await edit(path, '{\\"', '{\\"type_name\\":\\"decision\\",\\"');
      },
      "'attestSystem' cannot be replayed: only evidence can",
    ],
    [
      "a property of every object as the operation",
      (path) => edit(path, '"attestGeneric"', '"constructor"'),
      "'constructor' cannot be replayed: only evidence can",
    ],
    [
      "a link in place of a file",
      async (path) => {
        await rm(join(path, "files/0"));
        await symlink("/etc/passwd", join(path, "files/0"));
      },
      "'log.txt' is missing",
    ],
  ];
  test.each(cases)("%s", async (_, harm, damage) => {
    await using folder = await temporaryFolder();
    await spool(
      folder.path,
      await sampleSubmission(connection, { body: unit, files: [fileOf("log.txt", "hello")] }),
    );
    const [kept] = await readSpool(folder.path);
    if (!kept) throw new Error("It was not kept");
    expect(sha256("hello")).toHaveLength(64);
    await harm(kept.path);
    expect((await openSubmission(kept)).damage).toContain(damage);
  });

  async function edit(path: string, from: string, to: string) {
    const file = join(path, "submission.json");
    const text = await readFile(file, "utf8");
    expect(text).toContain(from);
    await writeFile(file, text.replace(from, to));
  }
});

test("evidence can be spooled, but no decision, override or snapshot", () => {
  const spoolable = Object.values<OperationShape>(operations).filter(({ spoolable }) => spoolable);
  expect(spoolable.map(({ name }) => name).sort()).toEqual([
    "attestCustom",
    "attestGeneric",
    "attestJira",
    "attestJunit",
    "attestPullRequest",
    "attestSnyk",
    "attestSonar",
    "attestSystem",
    "reportArtifact",
  ]);
  const spooled = ["junit", "decision", undefined].map((type_name) =>
    isSpoolable(operations.attestSystem, { type_name }),
  );
  expect(spooled).toEqual([true, false, false]);
});

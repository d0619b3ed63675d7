import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sweepStrayFiles } from "../../src/service/jobs/sweep.ts";
import { NotFound } from "../../src/service/kernel/errors.ts";
import { startService } from "../../src/service/service.ts";
import {
  type Attachments,
  openAttachments,
  type ReceivedFile,
} from "../../src/service/store/blobs/attachments.ts";
import { checkFiles } from "../../src/service/store/blobs/checked-files.ts";
import { openDataFolder } from "../../src/service/store/data-folder.ts";
import type { Store } from "../../src/service/store/store.ts";
import { attestations } from "./attestation-requests.ts";
import { FP, pipeline, send } from "./requests.ts";
import { ORG, startTestService, type TestService } from "./running-service.ts";

const sha256Of = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");
const text = () => randomBytes(20).toString("hex");
const fileOf = (dataFolder: string, sha256: string) =>
  join(dataFolder, "files", sha256.slice(0, 2), sha256.slice(2));

/** What is in the folders of the files. */
async function keptIn(dataFolder: string): Promise<string[]> {
  const entries = await readdir(join(dataFolder, "files"), { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map(async ({ name }) => (await readdir(join(dataFolder, "files", name))).map((rest) => name + rest));
  return (await Promise.all(names)).flat();
}

describe("the files of a submission", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
    await pipeline(service).artifact("web", "t1");
  });
  afterAll(() => service.dispose());

  const attest = (content: string, more: object = {}, headers: Record<string, string> = {}) =>
    send(service, {
      method: "POST",
      path: `/attestations/${ORG}/web/trail/t1/generic`,
      form: { attestation_name: "unit", is_compliant: true, artifact_fingerprint: FP, ...more },
      files: [{ name: "log.txt", content }],
      headers,
    });
  const UNKNOWN = { artifact_fingerprint: "b".repeat(64) };

  it("are not kept when it is refused", async () => {
    const before = await keptIn(service.dataFolder);
    const key = { "idempotency-key": text() };
    expect((await attest(text(), UNKNOWN)).status).toBe(404);
    expect((await attest("first", {}, key)).status).toBe(201);
    expect((await attest(text(), {}, key)).status).toBe(422);
    expect((await keptIn(service.dataFolder)).sort()).toEqual([...before, sha256Of("first")].sort());
  });

  it("are kept once when it is sent again", async () => {
    const [content, before] = [text(), await keptIn(service.dataFolder)];
    expect([(await attest(content)).status, (await attest(content)).status]).toEqual([201, 201]);
    expect((await keptIn(service.dataFolder)).sort()).toEqual([...before, sha256Of(content)].sort());
  });

  it("stay where an earlier record names them, though it is refused", async () => {
    const content = text();
    expect((await attest(content)).status).toBe(201);
    expect((await attest(content, UNKNOWN)).status).toBe(404);
    expect(await readFile(fileOf(service.dataFolder, sha256Of(content)), "utf8")).toBe(content);
  });

  it("stay exactly where one of many that bring them at once is recorded", async () => {
    const contents = Array.from({ length: 12 }, text);
    const sent = contents.flatMap((content, index) =>
      Array.from({ length: 8 }, (_, turn) => ({
        content,
        // Of every second content one in eight is recorded, each time another; of the others none.
        recorded: index % 2 === 0 && turn === index % 8,
        description: `${index}/${turn}`,
      })),
    );
    const answers = await Promise.all(
      sent.map(({ content, recorded, description }) =>
        attest(content, { description, attestation_name: "race", ...(recorded ? {} : UNKNOWN) }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(sent.map(({ recorded }) => (recorded ? 201 : 404)));
    const kept = new Set(await keptIn(service.dataFolder));
    expect(contents.map((content) => kept.has(sha256Of(content)))).toEqual(
      contents.map((_, index) => index % 2 === 0),
    );
    const { body } = await pipeline(service).attestations("web", FP, "race");
    expect(body).toHaveLength(6);
    for (const record of body) {
      const path = new URL(record._links.evidence.href).pathname.replace("/api/v2", "");
      expect((await send(service, { path })).status).toBe(200);
    }
  });

  it("that were lost come back with a repeat", async () => {
    const content = text();
    await attest(content);
    await rm(fileOf(service.dataFolder, sha256Of(content)));
    expect((await attest(content)).status).toBe(201);
    expect(await readFile(fileOf(service.dataFolder, sha256Of(content)), "utf8")).toBe(content);
  });

  it("that were lost are not given as empty ones", async () => {
    const content = text();
    await attestations(service).attest(
      "generic",
      "web",
      { attestation_name: "lost", is_compliant: true },
      {
        files: [{ name: "a.txt", content }],
      },
    );
    const [record] = (await attestations(service).ofTrail("web", "lost")).body;
    await rm(fileOf(service.dataFolder, sha256Of(content)));
    const path = `/attestations/${ORG}/web/trail/t1/attestation/${record.attestation_id}/evidence`;
    expect((await send(service, { path })).status).toBe(500);
  });
});

describe("files under the lease of several submissions", () => {
  let dataFolder = "";
  let attachments: Attachments;
  beforeEach(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), "attachments-"));
    attachments = await openAttachments(dataFolder);
  });
  afterEach(() => rm(dataFolder, { recursive: true }));

  async function received(content: string): Promise<ReceivedFile> {
    const path = attachments.receive().newPath();
    await writeFile(path, content);
    return { path, name: "a", mediaType: "text/plain", size: content.length, sha256: sha256Of(content) };
  }
  const refused = () => Promise.reject(new NotFound("no such artifact"));

  it("are not removed by one that is refused while another is still under way", async () => {
    const [first, second] = [await received("same"), await received("same")];
    const other = Promise.withResolvers<string>();
    const recording = attachments.keepFor([first], () => other.promise);
    await expect(attachments.keepFor([second], refused)).rejects.toThrow("no such artifact");
    expect(await keptIn(dataFolder)).toEqual([sha256Of("same")]);
    other.resolve("recorded");
    expect(await recording).toBe("recorded");
    expect(await keptIn(dataFolder)).toEqual([sha256Of("same")]);
  });

  it("are removed by the last one when all are refused", async () => {
    const [first, second] = [await received("same"), await received("same")];
    const other = Promise.withResolvers<void>();
    const recording = attachments.keepFor([first], async () => {
      await other.promise;
      return refused();
    });
    await attachments.keepFor([second], refused).catch(() => undefined);
    expect(await keptIn(dataFolder)).toHaveLength(1);
    other.resolve();
    await expect(recording).rejects.toThrow("no such artifact");
    expect(await keptIn(dataFolder)).toEqual([]);
  });

  it("stay where it is not known whether there is a record", async () => {
    const failing = attachments.keepFor([await received("a")], () =>
      Promise.reject(new Error("disk I/O error")),
    );
    await expect(failing).rejects.toThrow("disk I/O error");
    expect(await keptIn(dataFolder)).toEqual([sha256Of("a")]);
  });

  it("twice in one submission are claimed once", async () => {
    const files = [await received("same"), await received("same")];
    await attachments.keepFor(files, refused).catch(() => undefined);
    expect(await keptIn(dataFolder)).toEqual([]);
  });

  it("are never too old while one that brings them is under way", async () => {
    const other = Promise.withResolvers<void>();
    const recording = attachments.keepFor([await received("a")], () => other.promise);
    await expect.poll(() => keptIn(dataFolder)).toHaveLength(1);
    expect(attachments.removeIfOlder(sha256Of("a"), Number.POSITIVE_INFINITY)).toBe(false);
    other.resolve();
    await recording;
    expect(attachments.removeIfOlder(sha256Of("a"), Number.POSITIVE_INFINITY)).toBe(true);
    expect(await keptIn(dataFolder)).toEqual([]);
  });
});

const DAY = 24 * 60 * 60;

/** Puts a file where attachments are kept, without a record that names it. */
async function stray(dataFolder: string, content: string, ageInSeconds: number): Promise<string> {
  const sha256 = sha256Of(content);
  await mkdir(dirname(fileOf(dataFolder, sha256)), { recursive: true });
  await writeFile(fileOf(dataFolder, sha256), content);
  await age(dataFolder, sha256, ageInSeconds);
  return sha256;
}

async function age(dataFolder: string, sha256: string, seconds: number): Promise<void> {
  const time = Date.now() / 1000 - seconds;
  await utimes(fileOf(dataFolder, sha256), time, time);
}

describe("files that no record names", () => {
  let service: TestService;
  let store: Store;
  beforeEach(async () => {
    service = await startTestService();
    store = await openDataFolder(service.dataFolder);
  });
  afterEach(async () => {
    await store.close();
    await service.dispose();
  });
  const sweep = async (attachments: Attachments, stop = new AbortController().signal) =>
    sweepStrayFiles({ attachments, store }, stop);
  /** The service is not touched by it: it has its own. */
  const opened = () => openAttachments(service.dataFolder);

  it("are removed when they are over a day old, and no others", async () => {
    const { dataFolder } = service;
    const named: string[] = [];
    for (let count = 0; count < 12; count++) {
      const files = Array.from({ length: 3 }, (_, index) => ({
        part: `attachment_file.${index}`,
        name: `${index}.txt`,
        content: `${count}/${index}`,
      }));
      await pipeline(service).attest("web", "t1", { attestation_name: `n${count}` }, files);
      for (const { content } of files) named.push(sha256Of(content));
    }
    for (const sha256 of named) await age(dataFolder, sha256, 10 * DAY);
    await stray(dataFolder, "old", DAY + 60);
    const young = await stray(dataFolder, "young", DAY - 60);
    await writeFile(join(dataFolder, "files", "README"), "not ours");
    await writeFile(join(dataFolder, "files", young.slice(0, 2), "note"), "not ours");
    await age(dataFolder, young, DAY - 60);

    await sweep(await opened());
    expect((await keptIn(dataFolder)).sort()).toEqual([...named, young, `${young.slice(0, 2)}note`].sort());
  });

  it("are told from those of many records", async () => {
    const FILES_EACH = 20;
    for (let count = 0; count < 60; count++) {
      await pipeline(service).attest("web", "t1", { attestation_name: `n${count}` });
    }
    const ids = (await store.read.selectFrom("attestations").select("id").orderBy("id").execute()).map(
      ({ id }) => id,
    );
    const rows = ids.flatMap((attestation_id) =>
      Array.from({ length: FILES_EACH }, (_, position) => ({
        attestation_id,
        position,
        name: "a.txt",
        size: 1,
        media_type: "text/plain",
        sha256: sha256Of(`${attestation_id}/${position}`),
      })),
    );
    await store.write((db) => db.insertInto("attachments").values(rows).execute());
    const named = [];
    for (const id of ids) {
      named.push(await stray(service.dataFolder, `${id}/0`, 10 * DAY));
      named.push(await stray(service.dataFolder, `${id}/${FILES_EACH - 1}`, 10 * DAY));
    }
    await stray(service.dataFolder, "old", 10 * DAY);
    await sweep(await opened());
    expect((await keptIn(service.dataFolder)).sort()).toEqual(named.sort());
  });

  it("stay when a submission brings them during the sweep", async () => {
    const sha256 = await stray(service.dataFolder, "again", 10 * DAY);
    const attachments = await opened();
    const duringTheSweep: Attachments = {
      ...attachments,
      async *kept() {
        yield* attachments.kept();
        await pipeline(service).attest("web", "t1", {}, [{ name: "a.txt", content: "again" }]);
        // As if its record came after those that the sweep has read.
        await store.write((db) => db.deleteFrom("attachments").execute());
      },
    };
    await sweep(duringTheSweep);
    expect(await keptIn(service.dataFolder)).toEqual([sha256]);
  });

  it("are left for the next start by a sweep that is told to stop", async () => {
    await stray(service.dataFolder, "old", 10 * DAY);
    await sweep(await opened(), AbortSignal.abort());
    expect(await keptIn(service.dataFolder)).toHaveLength(1);
  });
});

it("a service that starts removes old files that no record names", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "evidence-sweep-"));
  await stray(dataFolder, "old", 10 * DAY);
  const young = await stray(dataFolder, "young", 60);
  const options = { dataFolder, host: "127.0.0.1", port: 0, org: ORG, version: "0.0.0", log: () => {} };
  const service = await startService(options);
  await expect.poll(() => keptIn(dataFolder)).toEqual([young]);
  await service.close();
  await rm(dataFolder, { recursive: true });
});

describe("what a file holds", () => {
  it("is read to its end though an equal file takes its place before or meanwhile", async () => {
    const folder = await mkdtemp(join(tmpdir(), "content-"));
    const bytes = randomBytes(3_000_000);
    const [path, other] = [join(folder, "a"), join(folder, "b")];
    const replace = async () => {
      await writeFile(other, bytes);
      await rename(other, path);
    };
    await writeFile(path, bytes);
    const { contentOf } = checkFiles(
      () => path,
      () => {},
    );
    const content = contentOf(sha256Of(bytes));
    await replace();
    const reader = content.getReader();
    const { value: start = new Uint8Array() } = await reader.read();
    await replace();
    reader.releaseLock();
    expect(Buffer.concat([start, await buffer(content)]).equals(bytes)).toBe(true);
    await rm(folder, { recursive: true });
  });
});

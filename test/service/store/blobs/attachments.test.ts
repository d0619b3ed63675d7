import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { request } from "undici";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { NotFound } from "../../../../src/service/kernel/errors.ts";
import { startService } from "../../../../src/service/service.ts";
import type { Attachments, ReceivedFile } from "../../../../src/service/store/blobs/attachments.ts";
import { checkFiles } from "../../../../src/service/store/blobs/checked-files.ts";
import { openFolder } from "../../../../src/service/store/blobs/folder-place.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { attestations } from "../../attestation-requests.ts";
import { attachmentsIn } from "../../opened-attachments.ts";
import { FP, pipeline, send } from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";

const sha256Of = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");
const text = () => randomBytes(20).toString("hex");
const fileOf = (dataFolder: string, sha256: string) =>
  join(dataFolder, "files", sha256.slice(0, 2), sha256.slice(2));

/** The content of the file folders. */
async function storedIn(dataFolder: string): Promise<string[]> {
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

  it("are not stored when it is refused", async () => {
    const before = await storedIn(service.dataFolder);
    const key = { "idempotency-key": text() };
    expect((await attest(text(), UNKNOWN)).status).toBe(404);
    expect((await attest("first", {}, key)).status).toBe(201);
    expect((await attest(text(), {}, key)).status).toBe(422);
    expect((await storedIn(service.dataFolder)).sort()).toEqual([...before, sha256Of("first")].sort());
  });

  it("are stored once when it is sent again", async () => {
    const [content, before] = [text(), await storedIn(service.dataFolder)];
    expect([(await attest(content)).status, (await attest(content)).status]).toEqual([201, 201]);
    expect((await storedIn(service.dataFolder)).sort()).toEqual([...before, sha256Of(content)].sort());
  });

  it("remain if an earlier record names them, though it is refused", async () => {
    const content = text();
    expect((await attest(content)).status).toBe(201);
    expect((await attest(content, UNKNOWN)).status).toBe(404);
    expect(await readFile(fileOf(service.dataFolder, sha256Of(content)), "utf8")).toBe(content);
  });

  it("remain exactly if one of many concurrent uploads is recorded", async () => {
    const contents = Array.from({ length: 12 }, text);
    const sent = contents.flatMap((content, index) =>
      Array.from({ length: 8 }, (_, turn) => ({
        content,
        // One in eight of every second content is recorded, each time another; none of the others.
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
    const stored = new Set(await storedIn(service.dataFolder));
    expect(contents.map((content) => stored.has(sha256Of(content)))).toEqual(
      contents.map((_, index) => index % 2 === 0),
    );
    const { body } = await pipeline(service).attestations("web", FP, "race");
    expect(body).toHaveLength(6);
    for (const record of body) {
      const path = new URL(record._links.evidence.href).pathname.replace("/api/v2", "");
      expect((await send(service, { path })).status).toBe(200);
    }
  });

  it("that were lost are restored by a repeat", async () => {
    const content = text();
    await attest(content);
    await rm(fileOf(service.dataFolder, sha256Of(content)));
    expect((await attest(content)).status).toBe(201);
    expect(await readFile(fileOf(service.dataFolder, sha256Of(content)), "utf8")).toBe(content);
  });

  it("are refused for a time while the share of their folder is not mounted, and nothing is stored below it", async () => {
    const [files, away] = ["files", "away"].map((name) => join(service.dataFolder, name));
    if (!files || !away) throw new Error("There are two folders");
    await rename(files, away);
    await mkdir(files);
    const refused = await attest(text());
    expect([refused.status, refused.headers["retry-after"], refused.body.code]).toEqual([
      503,
      "5",
      "attachment.unavailable",
    ]);
    expect(await readdir(files)).toEqual([]);
    const health = await request(`${service.address}/health`, { dispatcher: service.dispatcher });
    expect([health.statusCode, await health.body.text()]).toEqual([
      503,
      expect.stringContaining("its share is not mounted"),
    ]);
    await rm(files, { recursive: true });
    await rename(away, files);
    expect((await attest(text())).status).toBe(201);
  });

  it("that were lost are not served as empty ones", async () => {
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
  let store: Store;
  let attachments: Attachments;
  beforeEach(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), "attachments-"));
    store = await openDataFolder(dataFolder);
    attachments = await attachmentsIn({ folder: dataFolder, store });
  });
  afterEach(async () => {
    await store.close();
    await rm(dataFolder, { recursive: true });
  });

  async function received(content: string): Promise<ReceivedFile> {
    const path = attachments.receive().newPath();
    await writeFile(path, content);
    return { path, name: "a", mediaType: "text/plain", size: content.length, sha256: sha256Of(content) };
  }
  const refused = () => Promise.reject(new NotFound("artifact.not_found", "no such artifact"));

  it("are not removed by a refused one while another is still in progress", async () => {
    const [first, second] = [await received("same"), await received("same")];
    const other = Promise.withResolvers<string>();
    const recording = attachments.keepFor([first], () => other.promise);
    await expect(attachments.keepFor([second], refused)).rejects.toThrow("no such artifact");
    expect(await storedIn(dataFolder)).toEqual([sha256Of("same")]);
    other.resolve("recorded");
    expect(await recording).toBe("recorded");
    expect(await storedIn(dataFolder)).toEqual([sha256Of("same")]);
  });

  it("are removed by the last one when all are refused", async () => {
    const [first, second] = [await received("same"), await received("same")];
    const other = Promise.withResolvers<void>();
    const recording = attachments.keepFor([first], async () => {
      await other.promise;
      return refused();
    });
    await attachments.keepFor([second], refused).catch(() => undefined);
    expect(await storedIn(dataFolder)).toHaveLength(1);
    other.resolve();
    await expect(recording).rejects.toThrow("no such artifact");
    expect(await storedIn(dataFolder)).toEqual([]);
  });

  it("remain if it is unknown whether there is a record", async () => {
    const failing = attachments.keepFor([await received("a")], () =>
      Promise.reject(new Error("disk I/O error")),
    );
    await expect(failing).rejects.toThrow("disk I/O error");
    expect(await storedIn(dataFolder)).toEqual([sha256Of("a")]);
  });

  it("twice in one submission are claimed once", async () => {
    const files = [await received("same"), await received("same")];
    await attachments.keepFor(files, refused).catch(() => undefined);
    expect(await storedIn(dataFolder)).toEqual([]);
  });

  it("remain when they are refused in a shared folder: other instances may be uploading them", async () => {
    const place = await openFolder({ folder: join(dataFolder, "files"), alone: false });
    attachments = await attachmentsIn({ folder: dataFolder, store, place });
    await attachments.keepFor([await received("a")], refused).catch(() => undefined);
    expect(await storedIn(dataFolder)).toEqual([sha256Of("a")]);
  });
});

it("files that no record names are marked by one sweep and removed by one a day later", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "evidence-sweep-"));
  const clock = { time: 1_800_000_000 };
  const start = () =>
    startService({
      dataFolder,
      host: "127.0.0.1",
      port: 0,
      org: ORG,
      version: "0.0.0",
      log: () => {},
      now: () => clock.time,
    });
  const orphan = sha256Of("orphan");
  await mkdir(dirname(fileOf(dataFolder, orphan)), { recursive: true });
  await writeFile(fileOf(dataFolder, orphan), "orphan");
  const first = await start();
  const store = await openDataFolder(dataFolder);
  const marks = () => store.read.selectFrom("orphaned_attachments").select("sha256").execute();
  await expect.poll(marks).toEqual([{ sha256: orphan }]);
  await store.close();
  await first.close();
  expect(await storedIn(dataFolder)).toEqual([orphan]);
  clock.time += 24 * 60 * 60;
  const service = await start();
  await expect.poll(() => storedIn(dataFolder)).toEqual([]);
  await service.close();
  await rm(dataFolder, { recursive: true });
});

describe("the content of a file", () => {
  it("is read to its end though an equal file replaces it before or meanwhile", async () => {
    const folder = await mkdtemp(join(tmpdir(), "content-"));
    const bytes = randomBytes(3_000_000);
    const [path, other] = [join(folder, "a"), join(folder, "b")];
    const replace = async () => {
      await writeFile(other, bytes);
      await rename(other, path);
    };
    await writeFile(path, bytes);
    const place = {
      addressOf: () => path,
      read: () => createReadStream(path),
    };
    const { contentOf } = checkFiles(place, () => {});
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

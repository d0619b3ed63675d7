import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { unpackTar } from "modern-tar";
import { request } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bucketAddress } from "../../../../../src/service/store/blobs/bucket/address.ts";
import { openBucket } from "../../../../../src/service/store/blobs/bucket/bucket-place.ts";
import { openStore } from "../../../../../src/service/store/sqlite/open-store.ts";
import { attestations } from "../../../attestation-requests.ts";
import { attachmentsIn } from "../../../opened-attachments.ts";
import { type FileToPost, send } from "../../../requests.ts";
import { ORG, startTestService, type TestService } from "../../../running-service.ts";
import { BUCKET, KEYS, type S3Server, s3Server } from "./s3-server.ts";
import { environmentOf, type RunningStore, STORES } from "./stores.ts";

const sha256Of = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");
const keyOf = (content: string | Uint8Array, prefix: string) => {
  const sha256 = sha256Of(content);
  return `${prefix}sha256/${sha256.slice(0, 2)}/${sha256.slice(2)}`;
};
const settings = (environment: Record<string, string>, prefix = "/team") => ({
  attachmentsAt: { bucket: bucketAddress(`s3://${BUCKET}${prefix}`, environment, false), environment },
});

const attest = (service: TestService, files: readonly FileToPost[], name = "unit") =>
  send(service, {
    method: "POST",
    path: `/attestations/${ORG}/web/trail/t1/generic`,
    form: { attestation_name: name, is_compliant: true },
    files,
  });

async function evidenceOf(service: TestService, name = "unit") {
  const [record] = (await attestations(service).ofTrail("web", name)).body;
  const answer = await request(record._links.evidence.href, {
    dispatcher: service.dispatcher,
    headers: { authorization: `Bearer ${service.keys.reader}` },
  });
  return { status: answer.statusCode, bytes: Buffer.from(await answer.body.arrayBuffer()) };
}

const part = (index: number, content: string | Buffer): FileToPost => ({
  part: `attachment_file.${index}`,
  name: `${index}.txt`,
  content,
});

describe.each(STORES)("attachments in a bucket on %s", (_, start) => {
  let store: RunningStore;
  beforeEach(async () => {
    store = await start();
  });
  afterEach(() => store.close());

  it("are stored once under their digest, and served as they were sent", async () => {
    const service = await startTestService({}, settings(store.environment));
    const large = randomBytes(3_000_000).toString("base64");
    const contents = ["one", "two", "three", "four", "five", large, ""];
    expect(
      (
        await attest(
          service,
          contents.map((content, index) => part(index, content)),
        )
      ).status,
    ).toBe(201);
    expect((await attest(service, [part(0, large)], "again")).status).toBe(201);
    expect((await store.keys()).filter((key) => key !== "team/sweep.json")).toEqual(
      ["team/owner.json", ...contents.map((content) => keyOf(content, "team/"))].sort(),
    );
    const { status, bytes } = await evidenceOf(service, "again");
    expect([status, bytes.equals(Buffer.from(large))]).toEqual([200, true]);
    expect((await evidenceOf(service)).status).toBe(200);
    expect((await request(`${service.address}/ready`, { dispatcher: service.dispatcher })).statusCode).toBe(
      200,
    );
    await service.dispose();
  });

  it("are not readable with a wrong key, which the start reports", async () => {
    const environment = { ...store.environment, AWS_SECRET_ACCESS_KEY: "wrong-secret" };
    const refused = await startTestService({}, settings(environment)).catch((error: Error) => error);
    expect(refused).toMatchObject({
      message: `The attachments in s3://${BUCKET}/team cannot be reached`,
      cause: {
        message:
          "the bucket answered 403 SignatureDoesNotMatch: the secret key does not belong to the access key",
      },
    });
    expect(String(refused)).not.toContain("wrong-secret");
    expect(await store.keys()).toEqual([]);
  });

  it("belong to one database, however many use the bucket at once", async () => {
    const { bucket, environment } = settings(store.environment).attachmentsAt;
    const places = Array.from({ length: 8 }, () => openBucket({ address: bucket, environment }));
    const taken = await Promise.all(
      places.map(({ owner }, index) => owner.take({ database: `database ${index}`, place: "p" })),
    );
    expect(new Set(taken.map(({ database }) => database)).size).toBe(1);
    expect(await places[0]?.owner.take({ database: "late", place: "p" })).toEqual(taken[0]);
    for (const { close } of places) await close();
  });

  it("of another database are refused", async () => {
    const service = await startTestService({}, settings(store.environment));
    await expect(startTestService({}, settings(store.environment))).rejects.toThrow(
      /^s3:\/\/evidence\/team has the attachments of the database [0-9a-f-]+, but this database is [0-9a-f-]+: set --attachments to the location of this database's attachments/,
    );
    await service.dispose();
  });
});

describe("attachments in a bucket", () => {
  let server: S3Server;
  let service: TestService;
  beforeEach(async () => {
    server = await s3Server();
    service = await startTestService({}, settings(environmentOf(server.url)));
  });
  afterEach(async () => {
    await service.dispose();
    await server.close();
  });
  const objects = () => [...server.objects.keys()].filter((key) => key.startsWith("team/sha256/"));

  it("are uploaded again after temporary faults", async () => {
    server.fail("PUT", { kind: "status", status: 503, code: "SlowDown" }, { kind: "reset" });
    expect((await attest(service, [part(0, "one")])).status).toBe(201);
    server.fail("PUT", { kind: "status", status: 409, code: "ConditionalRequestConflict" });
    expect((await attest(service, [part(0, "two")])).status).toBe(201);
    expect(objects()).toEqual([keyOf("one", "team/"), keyOf("two", "team/")]);
  });

  it("that cannot be uploaded are answered with 503, recorded nowhere, and accepted when they are sent again", async () => {
    server.keys.splice(0, 1, { ...KEYS, secretAccessKey: "changed" });
    const answer = await attest(service, [part(0, "one")]);
    expect([answer.status, answer.headers["retry-after"], answer.body]).toEqual([
      503,
      "5",
      { code: "attachment.unavailable", message: "The attachments are unavailable now: try again" },
    ]);
    expect(service.logged.join("\n")).toContain("the bucket answered 403 SignatureDoesNotMatch");
    expect(service.logged.join("\n")).not.toContain(KEYS.secretAccessKey);
    const get = (path: string) => request(service.address + path, { dispatcher: service.dispatcher });
    const why =
      "Attachments cannot be written: the bucket answered 403 SignatureDoesNotMatch: the secret key does not belong to the access key";
    const ready = await get("/ready");
    expect([ready.statusCode, await ready.body.text()]).toEqual([200, `OK\n${why}`]);
    expect(await (await get("/health")).body.json()).toHaveProperty("status", why);
    server.keys.splice(0, 1, KEYS);
    expect((await attest(service, [part(0, "one")])).status).toBe(201);
    expect((await attestations(service).ofTrail("web", "unit")).body).toHaveLength(1);
    expect((await evidenceOf(service)).bytes.toString()).toBe("one");
  });

  it("resume an interrupted download", async () => {
    const content = randomBytes(600_000).toString("hex");
    await attest(service, [part(0, content)]);
    server.fail("GET", { kind: "cut" }, { kind: "reset" }, { kind: "cut" });
    expect((await evidenceOf(service)).bytes.equals(Buffer.from(content))).toBe(true);
  });

  it("that differ from the stored ones cut off the response, so that it is not taken for complete", async () => {
    await attest(service, [part(0, "the report")]);
    server.fail("GET", { kind: "corrupt" });
    await expect(evidenceOf(service)).rejects.toThrow();
  });

  it("that a store changed without noticing are never served whole, and packages name them", async () => {
    server.lacks.add("comparisons");
    const content = randomBytes(300_000).toString("hex");
    await attest(service, [part(0, content)]);
    await attest(service, [part(0, content), part(1, "sound")], "two");
    const key = keyOf(content, "team/");
    const changed = Buffer.from(content);
    changed[1_000] = 0;
    server.objects.set(key, changed);
    const [record] = (await attestations(service).ofTrail("web", "unit")).body;
    const answer = await request(record._links.evidence.href, {
      dispatcher: service.dispatcher,
      headers: { authorization: `Bearer ${service.keys.reader}` },
    });
    let received = 0;
    const reading = (async () => {
      for await (const chunk of answer.body) received += chunk.length;
    })();
    await expect(reading).rejects.toThrow();
    expect(received).toBeLessThan(content.length);
    expect((await evidenceOf(service, "two")).status).toBe(500);

    const answered = await request(`${service.address}/api/v2/trails/${ORG}/web/t1/audit_package`, {
      dispatcher: service.dispatcher,
      headers: { authorization: `Bearer ${service.keys.reader}` },
    });
    const files = await unpackTar(gunzipSync(Buffer.from(await answered.body.arrayBuffer())));
    const manifest = JSON.parse(Buffer.from(files[0]?.data ?? []).toString());
    expect(manifest.changed.map(({ sha256 }: { sha256: string }) => sha256)).toEqual(
      Array(2).fill(sha256Of(content)),
    );
    expect(files.map(({ header }) => header.name).filter((name) => name.startsWith("attachments/"))).toEqual([
      expect.stringMatching(/1-1\.txt$/),
    ]);

    server.objects.set(key, changed.subarray(1));
    expect((await evidenceOf(service)).status).toBe(500);
  });

  it("are compared byte by byte if the store has no checksums, and changed ones are not served", async () => {
    server.lacks.add("checksums");
    await attest(service, [part(0, "the report")]);
    expect((await evidenceOf(service)).bytes.toString()).toBe("the report");
    server.objects.set(keyOf("the report", "team/"), Buffer.from("another one"));
    expect((await evidenceOf(service)).status).toBe(500);
    server.objects.delete(keyOf("the report", "team/"));
    expect((await evidenceOf(service)).bytes.toString()).toContain("is missing from the service's storage");
  });

  // A large file is looked up before it is sent.
  it.each([
    { size: "small", keeps: "checksums", content: "the report" },
    { size: "large", keeps: "checksums", content: "the report ".repeat(20_000) },
    { size: "small", keeps: "no checksums", content: "the report" },
    { size: "large", keeps: "no checksums", content: "the report ".repeat(20_000) },
  ])(
    "that were changed are fixed when a $size file is sent again, in a store that keeps $keeps",
    async (file) => {
      if (file.keeps === "no checksums") server.lacks.add("checksums");
      await attest(service, [part(0, file.content)]);
      server.objects.set(keyOf(file.content, "team/"), Buffer.from("another one"));
      expect((await evidenceOf(service)).status).toBe(500);
      expect((await attest(service, [part(0, file.content)], "again")).status).toBe(201);
      expect((await evidenceOf(service)).bytes.toString()).toBe(file.content);
      expect(objects()).toEqual([keyOf(file.content, "team/")]);
    },
  );

  it("that are intact are not sent twice if the store keeps checksums", async () => {
    const large = "the report ".repeat(20_000);
    await attest(service, [part(0, "one"), part(1, large)]);
    server.requests.length = 0;
    await attest(service, [part(0, "one"), part(1, large)], "again");
    const sent = server.requests.filter((request) => request.startsWith("PUT"));
    // The store refuses the small one by its condition.
    expect(sent).toEqual([`PUT /${BUCKET}/${keyOf("one", "team/")}`]);
  });

  it("are unharmed by a store without conditional writes", async () => {
    server.lacks.add("conditions");
    for (const name of ["unit", "again"])
      expect((await attest(service, [part(0, "one")], name)).status).toBe(201);
    expect([objects(), (await evidenceOf(service)).bytes.toString()]).toEqual([
      [keyOf("one", "team/")],
      "one",
    ]);
  });
});

it("a store that never answers is not waited for without end", async () => {
  const server = await s3Server();
  const environment = environmentOf(server.url);
  const address = bucketAddress(`s3://${BUCKET}`, environment, false);
  const place = openBucket({ address, environment, silenceMs: 100 });
  server.fail("PUT", { kind: "silence" });
  await place.checkWritable();
  expect(server.requests).toEqual([`PUT /${BUCKET}/write-check`, `PUT /${BUCKET}/write-check`]);
  await place.close();
  await server.close();
});

it("a store that hangs is waited for once, and others are refused at once until it answers", async () => {
  const server = await s3Server();
  const environment = environmentOf(server.url);
  const address = bucketAddress(`s3://${BUCKET}`, environment, false);
  const place = openBucket({ address, environment, silenceMs: 100, restMs: 1_500 });
  const folder = await mkdtemp(join(tmpdir(), "evidence-hanging-"));
  const path = join(folder, "file");
  await writeFile(path, "report");
  const put = () => place.put({ path, size: 6, sha256: sha256Of("report") });
  server.fail("PUT", ...Array(4).fill({ kind: "silence" }));
  await expect(put()).rejects.toMatchObject({ code: "attachment.unavailable" });
  const requests = server.requests.length;
  const refusals = await Promise.allSettled(Array.from({ length: 20 }, put));
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({
      reason: { code: "attachment.unavailable", headers: { "retry-after": "2" } },
    });
  }
  expect(server.requests).toHaveLength(requests);
  await expect
    .poll(() =>
      put().then(
        () => "brought",
        () => "refused",
      ),
    )
    .toBe("brought");
  await put();
  await place.close();
  await server.close();
  await rm(folder, { recursive: true });
});

it("all requests for the files of one upload share one time limit", async () => {
  const server = await s3Server();
  const environment = environmentOf(server.url);
  const place = openBucket({ address: bucketAddress(`s3://${BUCKET}`, environment, false), environment });
  const folder = await mkdtemp(join(tmpdir(), "evidence-hanging-"));
  const store = await openStore(join(folder, "evidence.sqlite"));
  const attachments = await attachmentsIn({ folder, store, place, uploadTimeoutMs: 2_000 });
  const files = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const path = attachments.receive().newPath();
      await writeFile(path, `${index}`);
      return { path, size: 1, sha256: sha256Of(`${index}`), name: "a", mediaType: "text/plain" };
    }),
  );
  server.fail("PUT", ...Array(100).fill({ kind: "silence" }));
  let recorded = 0;
  const storing = attachments.keepFor(files, async () => recorded++);
  await expect(storing).rejects.toMatchObject({ code: "attachment.unavailable" });
  expect([recorded, server.requests.filter((line) => line.startsWith("PUT")).length]).toEqual([0, 4]);
  await store.close();
  await place.close();
  await server.close();
  await rm(folder, { recursive: true });
});

describe("the address of a bucket", () => {
  const REGION = { AWS_REGION: "eu-west-1" };
  it.each([
    ["s3://evidence", REGION, "https://evidence.s3.eu-west-1.amazonaws.com", ""],
    [
      "s3://evidence/a/b/",
      { AWS_DEFAULT_REGION: "cn-north-1" },
      "https://evidence.s3.cn-north-1.amazonaws.com.cn",
      "a/b/",
    ],
    ["s3://ev.idence/a", REGION, "https://s3.eu-west-1.amazonaws.com/ev.idence", "a/"],
    [
      "s3://evidence",
      { AWS_ENDPOINT_URL: "https://store.example.org/s3/" },
      "https://store.example.org/s3/evidence",
      "",
    ],
    [
      "s3://evidence",
      { AWS_ENDPOINT_URL: "https://a", AWS_ENDPOINT_URL_S3: "http://127.0.0.1:1" },
      "http://127.0.0.1:1/evidence",
      "",
    ],
  ])("%s with %o is at %s", (text, environment, url, prefix) => {
    expect(bucketAddress(text, environment, false)).toMatchObject({ url, prefix });
  });

  it.each([
    ["s3://Evidence", REGION, "is not a valid bucket"],
    ["s3://evidence/../other", REGION, "is not a valid bucket"],
    ["s3://evidence", {}, "Set AWS_REGION to the region of the bucket 'evidence'"],
    ["s3://evidence", { AWS_ENDPOINT_URL: "store" }, "is not a URL"],
    ["s3://evidence", { AWS_ENDPOINT_URL: "http://store.example.org" }, "does not use TLS"],
  ])("%s with %o is refused", (text, environment, message) => {
    expect(() => bucketAddress(text, environment, false)).toThrow(message);
  });

  it("may be without TLS if the option says so", () => {
    const environment = { AWS_ENDPOINT_URL: "http://store.example.org" };
    expect(bucketAddress("s3://evidence", environment, true).url).toBe("http://store.example.org/evidence");
  });
});

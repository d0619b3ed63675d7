import { createHash, randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { unpackTar } from "modern-tar";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import { attestations } from "../../attestation-requests.ts";
import { attachmentsIn } from "../../opened-attachments.ts";
import { type FileToPost, pipeline } from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";

let service: TestService;
let count = 0;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const sha256Of = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");
const pathOf = (content: string) => {
  const sha256 = sha256Of(content);
  return join(service.dataFolder, "files", sha256.slice(0, 2), sha256.slice(2));
};
const lose = (content: string) => rm(pathOf(content));
/** Equal size, so that only the content differs. */
const change = (content: string) => writeFile(pathOf(content), content.replaceAll("e", "E"));
const part = (index: number, content: string): FileToPost => ({
  part: `attachment_file.${index}`,
  name: `${index}.txt`,
  content,
});

async function get(address: string) {
  const answer = await request(address, {
    dispatcher: service.dispatcher,
    headers: { authorization: `Bearer ${service.keys.reader}` },
  });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  return { status: answer.statusCode, bytes };
}

const messageOf = ({ bytes }: { bytes: Buffer }) => JSON.parse(String(bytes)).message;

/** Attests with files of these contents, in a separate trail. */
async function attest(...contents: string[]) {
  const trail = `t${++count}`;
  await pipeline(service).attest(
    "web",
    trail,
    {},
    contents.map((content, index) => part(index, content)),
  );
  const [record] = (await attestations(service).ofTrail("web", "unit", trail)).body;
  return {
    id: record.attestation_id,
    evidence: () => get(record._links.evidence.href),
    auditPackage: () => get(`${service.address}/api/v2/trails/${ORG}/web/${trail}/audit_package`),
  };
}

async function unpack(bytes: Buffer) {
  const entries = await unpackTar(gunzipSync(bytes));
  return new Map(entries.map(({ header, data }) => [header.name, Buffer.from(data ?? []).toString()]));
}

const damage = async () => {
  const { attachments } = JSON.parse(String((await get(`${service.address}/health`)).bytes));
  return { changed: attachments.changed, missing: attachments.missing };
};

describe("an attachment that was changed in storage", () => {
  it("is not served as evidence, also among others, and the response says so", async () => {
    const [alone, one] = [await attest("the report"), await attest("one whole", "the other")];
    await change("the report");
    await change("the other");
    for (const [{ evidence }, name] of [
      [alone, "0.txt"],
      [one, "1.txt"],
    ] as const) {
      const answer = await evidence();
      expect([answer.status, messageOf(answer)]).toEqual([
        500,
        `The attachment '${name}' was modified in the service's storage, so it is not the attested file: restore it from a backup`,
      ]);
    }
    expect(service.logged.join("\n")).toContain(`The attachment ${sha256Of("the other")} was changed`);
    expect(await damage()).toEqual({ changed: 2, missing: 0 });
    await writeFile(pathOf("the report"), "the report");
    await writeFile(pathOf("the other"), "the other");
    expect(String((await alone.evidence()).bytes)).toBe("the report");
    expect((await one.evidence()).status).toBe(200);
    expect(await damage()).toEqual({ changed: 0, missing: 0 });
  });

  it("cuts off the response while it is served, so that it is not taken for complete", async () => {
    const store = await openDataFolder(service.dataFolder);
    const attachments = await attachmentsIn({ folder: join(service.dataFolder, "aside"), store });
    const reception = attachments.receive();
    const [path, content] = [reception.newPath(), randomBytes(900_000)];
    await writeFile(path, content);
    const file = {
      path,
      name: "a",
      mediaType: "text/plain",
      size: content.length,
      sha256: sha256Of(content),
    };
    await attachments.keepFor([file], async () => undefined);
    expect(await attachments.conditionOf(file.sha256)).toBe("whole");
    expect(await buffer(attachments.contentOf(file.sha256))).toEqual(content);
    content[899_999] = (content[899_999] ?? 0) ^ 1;
    await writeFile(
      join(service.dataFolder, "aside", "files", file.sha256.slice(0, 2), file.sha256.slice(2)),
      content,
    );
    await expect(buffer(attachments.contentOf(file.sha256))).rejects.toThrow("was changed");
    await store.close();
  });
});

describe("an attachment that is missing in storage", () => {
  it("is reported, and counted until it is restored", async () => {
    const { evidence } = await attest("lost evidence");
    const aside = join(service.dataFolder, "aside.txt");
    await rename(pathOf("lost evidence"), aside);
    const answer = await evidence();
    expect([answer.status, messageOf(answer)]).toEqual([
      500,
      "The attachment '0.txt' is missing from the service's storage: restore it from a backup",
    ]);
    expect(await damage()).toEqual({ changed: 0, missing: 1 });
    await rename(aside, pathOf("lost evidence"));
    expect(String((await evidence()).bytes)).toBe("lost evidence");
    expect(await damage()).toEqual({ changed: 0, missing: 0 });
  });

  it("leaves the archive of the others complete, with a manifest that lists it as missing", async () => {
    const { evidence, id } = await attest("first of three", "second of three", "third of three");
    await lose("second of three");
    const { status, bytes } = await evidence();
    const files = await unpack(bytes);
    expect([status, [...files.keys()]]).toEqual([200, ["manifest.json", "0.txt", "2.txt"]]);
    const listed = (index: number, content: string) => ({
      name: `${index}.txt`,
      size: content.length,
      sha256: sha256Of(content),
    });
    expect(JSON.parse(files.get("manifest.json") ?? "")).toEqual({
      version: 1,
      org: ORG,
      flow: "web",
      trail: `t${count}`,
      attestation_id: id,
      files: [listed(0, "first of three"), listed(2, "third of three")],
      missing: [listed(1, "second of three")],
    });
  });
});

it("an audit package is complete without damaged files, and its manifest names them", async () => {
  const contents = ["sound evidence", "changed evidence", "lost evidence two"];
  const { auditPackage, id } = await attest(...contents);
  const whole = await unpack((await auditPackage()).bytes);
  await change("changed evidence");
  await lose("lost evidence two");
  const { status, bytes } = await auditPackage();
  const files = await unpack(bytes);
  const manifest = JSON.parse(files.get("manifest.json") ?? "");
  const listed = (index: number) => ({
    name: `attachments/${id}/${index}-${index}.txt`,
    size: contents[index]?.length,
    sha256: sha256Of(contents[index] ?? ""),
  });
  expect(status).toBe(200);
  expect(manifest).toMatchObject({ changed: [listed(1)], missing: [listed(2)] });
  expect(manifest.files.map(({ name }: { name: string }) => name)).toEqual([...files.keys()].slice(1));
  expect([...whole.keys()].filter((name) => !files.has(name))).toEqual([listed(1).name, listed(2).name]);
  expect(files.get(listed(0).name)).toBe("sound evidence");
  // This one and the earlier ones that are still damaged.
  expect(await damage()).toEqual({ changed: 1, missing: 2 });
});

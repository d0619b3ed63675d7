import { readdir, stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { FormData } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_ATTACHMENTS, MAX_FILE_BYTES, MAX_JSON_PART_BYTES } from "../../../src/api/operation.ts";
import { sendRaw } from "../hostile/raw-request.ts";
import { expectRefusal, FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

const path = `/attestations/${ORG}/web/trail/t1/generic`;
const data = { attestation_name: "unit", is_compliant: true, artifact_fingerprint: FP };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await pipeline(service).artifact("web", "t1");
});
afterAll(() => service.dispose());

const BOUNDARY = "xxBOUNDARYxx";
const part = (disposition: string, content: string, type?: string) =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; ${disposition}\r\n` +
  `${type === undefined ? "" : `content-type: ${type}\r\n`}\r\n${content}\r\n`;
const jsonPart = part('name="data_json"', JSON.stringify(data));
const end = `--${BOUNDARY}--\r\n`;
const post = (raw: string, contentType = `multipart/form-data; boundary=${BOUNDARY}`) =>
  send(service, { method: "POST", path, raw, headers: { "content-type": contentType } });
const incomingFiles = () => readdir(join(service.dataFolder, "incoming"));

describe("a form that breaks a rule is refused and leaves nothing behind", () => {
  it.each([
    ["two JSON parts", jsonPart + jsonPart + end, { data_json: "Sent more than once" }],
    [
      "two files of one name",
      jsonPart + part('name="attachment_file"; filename="a"', "1").repeat(2) + end,
      { attachment_file: "Sent more than once" },
    ],
    [
      "an unknown part",
      `${jsonPart + part('name="extra"', "1")}${end}`,
      { extra: "Extra inputs are not permitted" },
    ],
    [
      "an index with a leading zero",
      jsonPart + part('name="attachment_file.01"; filename="a"', "1") + end,
      { "attachment_file.01": "Extra inputs are not permitted" },
    ],
    [
      "a file without a name",
      jsonPart + part('name="attachment_file"', "1") + end,
      { attachment_file: "Input should be a file with a file name" },
    ],
    [
      "the JSON part as a file",
      part('name="data_json"; filename="blob"', "{}", "application/json") + end,
      { data_json: "Input should be a valid string, not a file" },
    ],
    [
      "no JSON part",
      part('name="attachment_file"; filename="a"', "1") + end,
      { data_json: "Field required [input: None]" },
    ],
    [
      "JSON that is none",
      part('name="data_json"', "{") + end,
      { data_json: "Input should be valid JSON, error at line 1, column 2" },
      "request.json_invalid",
    ],
    [
      "a body that ends in the middle of a file",
      `${jsonPart}--${BOUNDARY}\r\ncontent-disposition: form-data; name="attachment_file"; filename="a"\r\n\r\nhalf`,
      { data_json: "The multipart body is truncated or malformed" },
      "request.body_truncated",
    ],
    [
      "no part at all",
      "",
      { data_json: "The multipart body is truncated or malformed" },
      "request.body_truncated",
    ],
  ])("%s", async (_, raw, errors, code = "request.field_invalid") => {
    const { status, body } = await post(raw);
    expect({ status, body }).toEqual({
      status: 400,
      body: { code, message: "Input payload validation failed", errors },
    });
    expect(await incomingFiles()).toEqual([]);
  });

  it("a form whose header names no boundary", async () => {
    expectRefusal(
      await post(jsonPart + end, "multipart/form-data"),
      400,
      "The multipart body has no boundary in its Content-Type",
    );
  });

  it("JSON instead of a form", async () => {
    const { status, body } = await send(service, { method: "POST", path, json: data });
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        code: "request.field_invalid",
        message: "Input payload validation failed",
        errors: { data_json: "Field required [input: None]" },
      },
    });
  });

  it("more files than are allowed", async () => {
    const files = Array.from({ length: MAX_ATTACHMENTS + 1 }, (_, index) => ({
      part: `attachment_file.${index}`,
      name: `${index}.txt`,
      content: "x",
    }));
    expectRefusal(
      await send(service, { method: "POST", path, form: data, files }),
      400,
      `The request has more than ${MAX_ATTACHMENTS} files`,
    );
    expect(await incomingFiles()).toEqual([]);
  });

  it("a form without an announced size that never ends", async () => {
    const { port, hostname } = new URL(service.address);
    const socket = connect(Number(port), hostname);
    const received: Buffer[] = [];
    socket.on("data", (chunk) => received.push(chunk));
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    // The service may close the connection while more is being sent.
    socket.on("error", () => {});
    const chunk = (content: Uint8Array | string) => {
      const bytes = Buffer.from(content);
      return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
    };
    socket.write(
      `POST /api/v2${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.keys.member}\r\n` +
        `content-type: multipart/form-data; boundary=${BOUNDARY}\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    socket.write(chunk(jsonPart));
    socket.write(chunk(part('name="attachment_file"; filename="endless.bin"', "").replace(/\r\n$/, "")));
    const megabyte = chunk(Buffer.alloc(1024 * 1024, 1));
    const pump = () => {
      while (!socket.destroyed && socket.write(megabyte));
    };
    socket.on("drain", pump);
    pump();
    await closed;
    const [head = "", body = ""] = Buffer.concat(received).toString().split("\r\n\r\n");
    expect([head.split("\r\n")[0], JSON.parse(body)]).toEqual([
      "HTTP/1.1 413 Payload Too Large",
      { code: "request.too_large", message: "the request is more than 205 MB; the limit is 205 MB" },
    ]);
    expect(await incomingFiles()).toEqual([]);
  });

  it("a form that announces more than a form may hold", async () => {
    const answer = await sendRaw(service.address, {
      method: "POST",
      target: `/api/v2${path}`,
      headers: {
        authorization: `Bearer ${service.keys.member}`,
        "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
        "content-length": String(300 * 1024 * 1024),
      },
      body: jsonPart,
    });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      413,
      { code: "request.too_large", message: "the request is 300 MB; the limit is 205 MB" },
    ]);
  });

  it("a connection that breaks in the middle of a file", async () => {
    const { port, hostname } = new URL(service.address);
    const logged = service.logged.length;
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /api/v2${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.keys.member}\r\n` +
        `content-type: multipart/form-data; boundary=${BOUNDARY}\r\ncontent-length: 100000\r\n\r\n${jsonPart}` +
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="attachment_file"; filename="a"\r\n\r\nhalf`,
    );
    await expect.poll(incomingFiles).toHaveLength(1);
    socket.destroy();
    await expect.poll(() => service.logged.length).toBe(logged + 1);
    expect(await incomingFiles()).toEqual([]);
  });
});

describe("sizes", () => {
  const attach = (files: { part: string; name: string; size: number }[]) => {
    const form = new FormData();
    form.append("data_json", JSON.stringify(data));
    for (const { part: name, name: fileName, size } of files) {
      form.append(name, new Blob([Buffer.alloc(size, 1)]), fileName);
    }
    return send(service, { method: "POST", path, raw: form });
  };

  it("a file of exactly the limit is stored", async () => {
    expect((await attach([{ part: "attachment_file", name: "full.bin", size: MAX_FILE_BYTES }])).status).toBe(
      201,
    );
  });

  it("a file one byte over the limit is refused by name, size and limit", async () => {
    expectRefusal(
      await attach([{ part: "attachment_file", name: "over.bin", size: MAX_FILE_BYTES + 1 }]),
      413,
      "attachment 'over.bin' is 10485761 bytes; the limit is 10 MB",
    );
    expect(await incomingFiles()).toEqual([]);
  });

  it("the second of two files can be the one that is too large", async () => {
    const size = Math.round(11.2 * 1024 * 1024);
    expectRefusal(
      await attach([
        { part: "attachment_file.0", name: "ok.txt", size: 10 },
        { part: "attachment_file.1", name: "report.html", size },
      ]),
      413,
      "attachment 'report.html' is 11.2 MB; the limit is 10 MB",
    );
  });

  it("an empty file is stored", async () => {
    expect((await attach([{ part: "attachment_file", name: "empty", size: 0 }])).status).toBe(201);
  });

  it("a JSON part over its limit is refused", async () => {
    const answer = await send(service, {
      method: "POST",
      path,
      form: JSON.stringify({ ...data, description: "x".repeat(MAX_JSON_PART_BYTES) }),
    });
    expect(answer.status).toBe(413);
    expect(answer.body.message).toMatch(
      /^part 'data_json' is \d+ bytes; the limit is 4 MB$|^part 'data_json' is 4\.\d MB/,
    );
  });
});

describe("stored attachments", () => {
  const stored = async (name: string) => {
    const [record] = (await pipeline(service).attestations("web", FP, name)).body;
    return record;
  };

  it("have a single file under its sha256, byte for byte", async () => {
    const content = Buffer.from([0, 10, 13, 255]);
    await pipeline(service).attest("web", "t1", { ...data, attestation_name: "one" }, [
      { name: 'ü "x".bin', content, type: "application/x-thing" },
    ]);
    const { has_audit_package, evidence_archive_fingerprint: sha256, _links } = await stored("one");
    expect(has_audit_package).toBe(true);
    expect(_links.evidence.href).toContain("/evidence");
    const file = join(service.dataFolder, "files", sha256.slice(0, 2), sha256.slice(2));
    expect((await stat(file)).size).toBe(content.length);
  });

  it("share one file between two attestations with equal files", async () => {
    const files = [{ name: "same.txt", content: "the same" }];
    for (const attestation_name of ["first", "second"]) {
      await pipeline(service).attest("web", "t1", { ...data, attestation_name }, files);
    }
    expect((await stored("first")).evidence_archive_fingerprint).toBe(
      (await stored("second")).evidence_archive_fingerprint,
    );
  });

  it("an attestation without files says so and links to none", async () => {
    await pipeline(service).attest("web", "t1", { ...data, attestation_name: "bare" });
    const record = await stored("bare");
    expect(record.has_audit_package).toBe(false);
    expect(record._links).not.toHaveProperty("evidence");
  });
});

import {
  appendFileSync,
  mkdtempSync,
  rmSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { call } from "../../../src/api/client/call.ts";
import { InputError } from "../../../src/api/client/errors.ts";
import { multipartBody } from "../../../src/api/client/multipart.ts";
import { operations } from "../../../src/api/resources/operations.ts";
import { bodyOf } from "../../../src/net/body.ts";
import { connectTo, failureOf } from "../connections.ts";
import { httpServer, json } from "../local-server.ts";
import { bytesOf, readParts } from "../multipart-reader.ts";
import { fileAt, fileOf, samples } from "../sample-requests.ts";

/** The encoding of names in browsers, without quotes or line breaks (WHATWG HTML, 4.10.21.8). */
function asBrowsersDo(name: string): string {
  return name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}

/** Names of parts and files; the parser of these tests treats a backslash as an escape, unlike browsers. */
const names = fc
  .oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(..."\"\r\n;=:,'% é漢😀{}-_."), minLength: 1, maxLength: 12 }),
  )
  .filter((name) => name.isWellFormed() && !/[\\\0]/.test(name));
const texts = fc
  .string({ unit: fc.constantFrom("\r", "\n", "-", "é", '"', "a", "{", "\0"), maxLength: 40 })
  .filter((text) => text !== "");

test("a sent form is read by another parser byte for byte", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(names, texts), { maxLength: 3 }),
      fc.array(fc.tuple(names, names, fc.uint8Array({ maxLength: 300 })), { maxLength: 4 }),
      async (fields, files) => {
        fc.pre(fields.length + files.length > 0);
        const body = multipartBody({
          texts: fields,
          files: files.map(
            ([part, name, bytes]) => [part, { name, content: new Blob([Buffer.from(bytes)]) }] as const,
          ),
        });
        const sent = await bytesOf(body);
        const parts = await readParts(body.contentType, sent);

        expect(body.contentLength).toBe(sent.length);
        const read = parts.map(({ name, fileName, bytes }) => [name, fileName, bytes.toString("base64")]);
        expect(read.filter(([, fileName]) => fileName === undefined)).toEqual(
          fields.map(([name, text]) => [asBrowsersDo(name), undefined, Buffer.from(text).toString("base64")]),
        );
        expect(read.filter(([, fileName]) => fileName !== undefined)).toEqual(
          files.map(([part, name, bytes]) => [
            asBrowsersDo(part),
            asBrowsersDo(name),
            Buffer.from(bytes).toString("base64"),
          ]),
        );
      },
    ),
    { numRuns: 150 },
  );
});

test("the bytes are exactly those of the form standard", async () => {
  const body = multipartBody(
    {
      texts: [["data_json", "{}"]],
      files: [["attachment_file", fileOf('a"b.txt', "1\n2\r\n3", "text/plain")]],
    },
    "limit",
  );
  expect((await bytesOf(body)).toString()).toBe(
    [
      "--limit",
      'Content-Disposition: form-data; name="data_json"',
      "",
      "{}",
      "--limit",
      'Content-Disposition: form-data; name="attachment_file"; filename="a%22b.txt"',
      "Content-Type: text/plain",
      "",
      "1\n2\r\n3",
      "--limit--",
      "",
    ].join("\r\n"),
  );
  expect(body.contentType).toBe("multipart/form-data; boundary=limit");
});

test("a file of unknown type is sent as bytes", async () => {
  const body = multipartBody({ texts: [], files: [["f", fileOf("a.bin", "x")]] });
  expect((await readParts(body.contentType, await bytesOf(body)))[0]?.mediaType).toBe(
    "application/octet-stream",
  );
});

test("each attempt sends the same bytes", async () => {
  const body = multipartBody({ texts: [["t", "text"]], files: [["f", fileOf("a", "content")]] });
  const first = await bytesOf(body);
  expect((await bytesOf(body)).equals(first)).toBe(true);
  expect(first.length).toBe(body.contentLength);
});

test("two submissions have different boundaries", () => {
  const none = { texts: [], files: [] };
  expect(multipartBody(none).contentType).not.toBe(multipartBody(none).contentType);
});

test("the length of a JSON body is in bytes", async () => {
  const body = bodyOf("application/json; charset=utf-8", '{"a":"é😀"}');
  expect(body.contentLength).toBe((await bytesOf(body)).length);
  expect(body.contentLength).toBe(14);
});

describe("a file that differs from its description fails the submission by its name", () => {
  const DESCRIBED = "described";
  test.each<[string, (path: string) => void]>([
    ["when it has grown", (path) => appendFileSync(path, "more")],
    ["when it was cut", (path) => truncateSync(path, 3)],
    ["when it was emptied", (path) => truncateSync(path, 0)],
    ["when it has vanished", (path) => unlinkSync(path)],
    [
      "when it was rewritten in the same size",
      (path) => {
        writeFileSync(path, DESCRIBED.toUpperCase());
        utimesSync(path, new Date(0), new Date(0));
      },
    ],
  ])("%s", async (_, change) => {
    const path = join(temporaryFolder(), "report.html");
    writeFileSync(path, DESCRIBED);
    const file = await fileAt(path, "report.html");
    change(path);
    const server = await httpServer((response) => json(response, 201, "OK"));
    const { connection, waits } = connectTo(server.url);
    const error = await failureOf(
      InputError,
      call(connection, operations.attestGeneric, {
        ...samples.attestGeneric.request,
        files: { attachmentFile: [file] },
      }),
    );
    expect(error.problems).toEqual([{ input: path, problem: "was changed or removed while it was sent" }]);
    expect(error.advice).toContain("after the step that writes them");
    expect({ waits, recorded: server.received.length }).toEqual({ waits: [], recorded: 0 });
  });
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "evidence-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

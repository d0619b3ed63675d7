import { mkdtemp, rm } from "node:fs/promises";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { MultipartBody } from "../../../src/api/operation.ts";
import { parseTemplate, TemplateError } from "../../../src/service/evidence/flows/template-upload.ts";
import { authenticate } from "../../../src/service/http/authentication.ts";
import { BodyMemory } from "../../../src/service/http/body-memory.ts";
import { DEFAULT_LIMITS } from "../../../src/service/http/limits.ts";
import { readMultipart } from "../../../src/service/http/multipart.ts";
import { readPath, readQuery } from "../../../src/service/http/query.ts";
import { requestIdOf, targetOf, wrongEscapes } from "../../../src/service/http/request-head.ts";
import { ExpressionError } from "../../../src/service/judging/policies/expression.ts";
import { parseEnclosed, parseExpression } from "../../../src/service/judging/policies/expression-parser.ts";
import { PolicyFileError, parsePolicyFile } from "../../../src/service/judging/policies/policy-file.ts";
import { Invalid, Refusal } from "../../../src/service/kernel/errors.ts";
import { decodeUtf8, parseJson } from "../../../src/service/kernel/json-text.ts";
import { validate } from "../../../src/service/kernel/validate.ts";
import { jsonLog } from "../../../src/service/ops/json-log.ts";
import { textLog } from "../../../src/service/ops/text-log.ts";
import { parseSnappish, parseSnapshotExpression } from "../../../src/service/runtime/snapshots/expression.ts";
import { parseInterval } from "../../../src/service/runtime/snapshots/interval.ts";
import { codePoint } from "../../code-point.ts";
import { END_OF_FORM, everyOperation, FORM_TYPE, part } from "./targets.ts";

/** A fixed seed, so that failures are reproducible. */
const runs = (numRuns: number) => ({ seed: 20_300_131, numRuns });

/** Text of the pieces of a language, of any text between them, or of neither. */
function textOf(...pieces: string[]): fc.Arbitrary<string> {
  const piece = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...pieces) }, fc.string({ maxLength: 5 }));
  return fc.oneof(
    fc.array(piece, { maxLength: 40 }).map((parts) => parts.join("")),
    fc.string({ unit: codePoint, maxLength: 60 }),
    fc.tuple(fc.constantFrom(...pieces), fc.nat(300)).map(([repeated, times]) => repeated.repeat(times)),
  );
}

/** Expects that a reader accepts the text, or refuses it with an error for its author. */
function expectAnswer(read: () => unknown, refusal: new (...args: never[]) => Error): void {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(refusal);
  }
}

const JSON_PIECES = [
  "{",
  "}",
  "[",
  "]",
  '"a"',
  ":",
  ",",
  "1",
  "-",
  "1e999",
  "9007199254740993",
  "\\",
  '"',
  "null",
];
const YAML_PIECES = [
  "version: 1\n",
  "trail:\n",
  "  attestations:\n",
  "    - name: a\n",
  "artifacts:\n",
  "      type: generic\n",
  "  - ",
  "? ",
  "&a ",
  "*a",
  "<<: *a\n",
  "{",
  "}",
  "[",
  "]",
  "|\n",
  ">-\n",
  "!!map ",
  "!x ",
  "---\n",
  "...\n",
  "%YAML 1.1\n",
  "'",
  '"',
  "\t",
  "#",
  "\ufeff",
  "if: ${{ ",
  " }}\n",
];
const EXPRESSION_PIECES = [
  "flow.name",
  "flow.tags.a",
  "flow",
  "artifact.name",
  " == ",
  " != ",
  " < ",
  " and ",
  " or ",
  "not ",
  " in ",
  "exists(",
  "matches(",
  ")",
  "(",
  "[",
  "]",
  ", ",
  "'a'",
  "'(a+)+$'",
  "'",
  '"',
  "\\",
  "1.5",
  "-",
  "${{ ",
  " }}",
];

describe("only the reader's own error is thrown for", () => {
  it("JSON", () => {
    fc.assert(
      fc.property(fc.oneof(textOf(...JSON_PIECES), fc.json()), (text) =>
        expectAnswer(() => parseJson(text, "body"), Invalid),
      ),
      runs(300),
    );
  });

  it("bytes that should be text", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) =>
        expectAnswer(() => parseJson(decodeUtf8(bytes, "body"), "body"), Invalid),
      ),
      runs(300),
    );
  });

  it("a flow template", () => {
    fc.assert(
      fc.property(textOf(...YAML_PIECES), (text) => expectAnswer(() => parseTemplate(text), TemplateError)),
      runs(120),
    );
  });

  it("a policy", () => {
    fc.assert(
      fc.property(textOf(...YAML_PIECES), (text) =>
        expectAnswer(() => parsePolicyFile(text), PolicyFileError),
      ),
      runs(300),
    );
  });

  it("an expression of a policy", () => {
    fc.assert(
      fc.property(textOf(...EXPRESSION_PIECES), (text) => {
        expectAnswer(() => parseExpression(text), ExpressionError);
        expectAnswer(() => parseEnclosed(`\${{${text}}}`), ExpressionError);
      }),
      runs(300),
    );
  });
});

it("a snapshot expression has valid numbers and times, or no value", () => {
  const text = textOf(
    "#",
    "-",
    "~",
    "1",
    "999999999",
    "@{",
    "}",
    "now",
    "3.days.ago",
    "2030-01-31",
    "..",
    "prod",
  );
  const now = 1_800_000_000;
  fc.assert(
    fc.property(text, (expression) => {
      const interval = parseInterval(expression, now);
      const named = [
        parseSnapshotExpression(expression, now),
        parseSnappish(expression, now)?.expression,
        interval?.start,
        interval?.end,
      ];
      for (const { kind, ...value } of named.filter((found) => found !== undefined)) {
        expect(Object.values(value), kind).toEqual([expect.toSatisfy(Number.isFinite)]);
      }
    }),
    runs(300),
  );
});

it("a query has valid values, or errors by field", () => {
  const schemas = everyOperation.flatMap(({ query }) => (query ? [query] : []));
  const value = textOf("1", "-", ".", "true", "1e9", "%", "\u0000", "&", "=", "a");
  const request = fc.constantFrom(...schemas).chain((schema) => {
    const name = fc.constantFrom(...Object.keys(schema._zod.def.shape), "__proto__", "constructor");
    return fc.tuple(fc.constant(schema), fc.array(fc.tuple(name, value), { maxLength: 5 }));
  });
  fc.assert(
    fc.property(request, ([schema, pairs]) => {
      const result = validate(schema, readQuery(schema, new URLSearchParams(pairs)));
      if ("errors" in result) expect(Object.values(result.errors).join()).not.toBe("");
      else expect(result.value).toBeTypeOf("object");
    }),
    runs(300),
  );
});

it("a path has valid values, or errors by field", () => {
  const schemas = everyOperation.flatMap(({ params }) => (params ? [params] : []));
  const value = textOf("1", "-", ".", "a", "/", "%", "\u0000", "9007199254740993", "~", "@{", "}");
  const request = fc.constantFrom(...schemas).chain((schema) => {
    const texts = Object.keys(schema._zod.def.shape).map((name) => [name, value] as const);
    return fc.tuple(fc.constant(schema), fc.record(Object.fromEntries(texts)));
  });
  fc.assert(
    fc.property(request, ([schema, texts]) => {
      const result = validate(schema, readPath(schema, texts));
      if ("errors" in result) expect(Object.values(result.errors).join()).not.toBe("");
      else expect(result.value).toBeTypeOf("object");
    }),
    runs(300),
  );
});

describe("the head of a request", () => {
  const KEY = `de_${"k".repeat(43)}`;
  const holder = {
    caller: { keyId: "k", accountId: "a", accountName: "n", orgId: "o", role: "reader", scope: null },
    org: { id: "o", name: "acme" },
  } as const;

  it("names its account only when the key is known, and never repeats what is unreadable", async () => {
    const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
    const header = fc.oneof(
      textOf("Bearer", "Basic", " ", "\t", ":", KEY, basic(`${KEY}:`), basic(KEY), "=", ",", "\xff"),
      fc.string().map(basic),
    );
    await fc.assert(
      fc.asyncProperty(header, async (authorization) => {
        const findKey = async (key: string) => (key === KEY ? holder : "unknown");
        const found = await authenticate(authorization, findKey).catch((error: unknown) => error);
        if (found === holder) {
          expect(authorization).toMatch(/^\s*(bearer|basic)\s/i);
          return;
        }
        expect(found).toMatchObject({
          status: 401,
          message: expect.stringMatching(
            /^Unauthorized: (no credentials were sent|the API key is not known|the authorization scheme is not supported \(use Bearer or Basic\))$/,
          ),
          headers: { "www-authenticate": expect.any(String) },
        });
      }),
      runs(300),
    );
  });

  it("has an address whose wrong escapes are found, and no others", () => {
    const url = textOf("/", "?", "#", "&", "=", "%", "%41", "%c3%a9", "%ff", "+", "http://x", "a", ":");
    fc.assert(
      fc.property(url, (text) => {
        const target = targetOf({ url: text });
        const readable = (part: string) => {
          try {
            return decodeURIComponent(part) !== undefined;
          } catch {
            return false;
          }
        };
        const wrong = Object.keys(wrongEscapes(target).errors);
        expect(wrong.includes("path")).toBe(!readable(target.path));
        expect(wrong.some((field) => field.startsWith("query"))).toBe(!readable(target.query));
        expect(target.path).not.toMatch(/[?#]/);
        expect(target.path).not.toBe("");
      }),
      runs(500),
    );
  });

  it("becomes one line of the log in ASCII, with an id that fits into a header", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.string({ unit: codePoint }), (path, sent) => {
        const request = new IncomingMessage(new Socket());
        request.headers["x-request-id"] = sent;
        const requestId = requestIdOf(request);
        expect(requestId).toMatch(/^[\x21-\x7e]{1,128}$/);
        expect(requestIdOf(request)).toBe(requestId);
        for (const open of [textLog, jsonLog]) {
          const lines: string[] = [];
          open((line) => lines.push(line))({
            request: { method: "GET", path, status: 200, milliseconds: 1, requestId },
          });
          expect(lines).toEqual([expect.stringMatching(/^[\x20-\x7e]+$/)]);
          if (open === jsonLog)
            expect(JSON.parse(lines[0] ?? "")).toMatchObject({ path, request_id: requestId });
        }
      }),
      runs(300),
    );
  });
});

describe("a form", () => {
  const FORM: MultipartBody = {
    kind: "multipart",
    part: "data_json",
    schema: z.unknown(),
    files: { attachment_file: { count: "many" } },
  };
  const VALID = Buffer.concat([
    part('name="data_json"', '{"name": "x"}'),
    part('name="attachment_file"; filename="a.txt"', "content"),
    END_OF_FORM,
  ]);
  const PIECES = [
    "--",
    "\r\n",
    "\r\n\r\n",
    "content-disposition: form-data; ",
    'name="data_json"',
    "\0",
    END_OF_FORM,
  ];

  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "evidence-forms-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  let files = 0;
  const read = (chunks: readonly Uint8Array[], contentType = FORM_TYPE) => {
    const request = new IncomingMessage(new Socket());
    request.headers["content-type"] = contentType;
    for (const chunk of chunks) request.push(chunk);
    request.push(null);
    const room = new BodyMemory(DEFAULT_LIMITS).roomFor("acme", "key");
    return readMultipart(request, FORM, {
      room,
      inTurn: async (work) => work(),
      newPath: () => join(folder, String(files++)),
    });
  };

  it("is read in chunks of any size", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: VALID.length - 1 }), { maxLength: 6 }),
        async (cuts) => {
          const ends = [...cuts.sort((a, b) => a - b), VALID.length];
          const chunks = ends.map((end, index) => VALID.subarray(ends[index - 1] ?? 0, end));
          const { text, files: received } = await read(chunks.filter(({ length }) => length > 0));
          expect(text).toBe('{"name": "x"}');
          expect(received.get("attachment_file")).toEqual([
            expect.objectContaining({ name: "a.txt", size: 7 }),
          ]);
        },
      ),
      runs(100),
    );
  });

  it("with changes anywhere is read or refused", async () => {
    const changed = fc
      .tuple(
        fc.nat(VALID.length),
        fc.nat(60),
        fc.oneof(fc.constantFrom(...PIECES), fc.uint8Array({ maxLength: 9 })),
      )
      .map(([at, length, piece]) =>
        Buffer.concat([VALID.subarray(0, at), Buffer.from(piece), VALID.subarray(at + length)]),
      );
    await fc.assert(
      fc.asyncProperty(fc.array(changed, { minLength: 1, maxLength: 3 }), (chunks) => expectAnswered(chunks)),
      runs(300),
    );
  });

  it("of any bytes is read or refused", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 200 }), { maxLength: 3 }),
        (chunks) => expectAnswered(chunks),
      ),
      runs(300),
    );
  });

  it("of any type is read or refused", async () => {
    const type = textOf(
      "multipart/form-data",
      "; ",
      "boundary=",
      "xxBOUNDARYxx",
      '"',
      "*=utf-8''",
      "%00",
      "charset=",
    );
    await fc.assert(
      fc.asyncProperty(type, (contentType) => expectAnswered([VALID], contentType)),
      runs(300),
    );
  });

  async function expectAnswered(chunks: readonly Uint8Array[], contentType?: string): Promise<void> {
    const error = await read(chunks, contentType).then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    if (error !== undefined) expect(error).toBeInstanceOf(Refusal);
  }
});

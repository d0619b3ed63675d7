import { afterAll, beforeAll, it } from "vitest";
import { MAX_ATTACHMENTS } from "../../../src/api/operation.ts";
import { type Attempt, expectNoHarm, startTarget, type Target } from "./attack.ts";
import {
  BOUNDARY,
  END_OF_FORM,
  FORM_TYPE,
  formOf,
  multipartOperations,
  part,
  requestTo,
  validBody,
} from "./targets.ts";

let service: Target;
beforeAll(async () => {
  service = await startTarget();
});
afterAll(() => service.dispose());

type MultipartOperation = (typeof multipartOperations)[number];
const multipart = multipartOperations.map((operation) => ({ name: operation.name, operation }));

/** One operation for each form layout: all of them have the same reader. */
const layouts = [
  ...new Map(multipart.map((one) => [JSON.stringify(one.operation.body.files), one])).values(),
];

it.each(multipart)("half a form does not break $name", async ({ operation }) => {
  const form = formOf(operation.body, JSON.stringify(validBody(operation)));
  await expectNoHarm(service, [attempt(operation, "half a form", form.subarray(0, form.length / 2))]);
});

it.each(layouts)("no framing of a form breaks $name", async ({ operation }) => {
  const { part: jsonPart, files } = operation.body;
  const json = JSON.stringify(validBody(operation));
  const form = formOf(operation.body, json);
  const [fileName = "attachment_file"] = Object.keys(files);
  const file = (name: string, content = "x") => part(`name="${name}"; filename="a"`, content);
  const withParts = (...others: Buffer[]) => formOf(operation.body, json, ...others);
  const bodies: Record<string, Buffer> = {
    "no body": Buffer.alloc(0),
    "the end alone": END_OF_FORM,
    "no end": form.subarray(0, -END_OF_FORM.length),
    "half the end": form.subarray(0, -END_OF_FORM.length + 4),
    "half the JSON": form.subarray(0, form.indexOf(json) + Math.floor(json.length / 2)),
    "half a header": form.subarray(0, form.indexOf("form-data")),
    "an end in the middle of a file": withParts(file(fileName)).subarray(0, -END_OF_FORM.length - 2),
    "another boundary": Buffer.from(form.toString().replaceAll(BOUNDARY, "yyOTHERyy")),
    "the JSON twice": withParts(part(`name="${jsonPart}"`, json)),
    "the JSON as a file": Buffer.concat([part(`name="${jsonPart}"; filename="a.json"`, json), END_OF_FORM]),
    "no JSON": Buffer.concat([file(fileName), END_OF_FORM]),
    "an unknown part": withParts(part('name="unknown"', "x")),
    "an unknown file": withParts(file("unknown")),
    "an unknown file, broken off": withParts(file("unknown", "x".repeat(9_000))).subarray(0, -5_000),
    "a file twice, broken off": withParts(file(fileName), file(fileName, "x".repeat(9_000))).subarray(
      0,
      -5_000,
    ),
    "a file called __proto__": withParts(file("__proto__")),
    "a part without a name": withParts(part('filename="a"', "x")),
    "a part with an empty name": withParts(part('name=""; filename="a"', "x")),
    "a text where a file is wanted": withParts(part(`name="${fileName}"`, "x")),
    "a file twice": withParts(file(fileName), file(fileName)),
    "a file with a negative index": withParts(file(`${fileName}.-1`)),
    "a file with a huge index": withParts(file(`${fileName}.99999999999`)),
    "more files than may be": withParts(
      ...Array.from({ length: MAX_ATTACHMENTS + 1 }, (_, index) => file(`${fileName}.${index}`)),
    ),
    "a thousand parts": withParts(...Array.from({ length: 1_000 }, (_, index) => file(`f${index}`))),
    "no disposition": Buffer.from(`--${BOUNDARY}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`),
    "a thousand headers": Buffer.from(
      `--${BOUNDARY}\r\n${"x-a: b\r\n".repeat(1_000)}\r\nx\r\n--${BOUNDARY}--\r\n`,
    ),
    "a header of 100 kB": Buffer.from(
      `--${BOUNDARY}\r\nx: ${"a".repeat(100_000)}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`,
    ),
    zeros: Buffer.alloc(100_000),
    "ten thousand ends": Buffer.concat(Array.from({ length: 10_000 }, () => END_OF_FORM)),
  };
  const types: Record<string, string> = {
    "no boundary": "multipart/form-data",
    "an empty boundary": "multipart/form-data; boundary=",
    "a boundary with a quote left open": 'multipart/form-data; boundary="',
    "a huge boundary": `multipart/form-data; boundary=${"a".repeat(5_000)}`,
    "JSON by name": "application/json",
    "another multipart": `multipart/mixed; boundary=${BOUNDARY}`,
    "no type": "",
  };
  await expectNoHarm(service, [
    ...Object.entries(bodies).map(([title, body]) => attempt(operation, title, body)),
    ...Object.entries(types).map(([title, type]) => attempt(operation, title, form, type)),
  ]);
});

const FILE_NAMES = [
  "../../../etc/passwd",
  "..",
  "/absolute",
  "C:\\\\windows\\\\system32",
  "a\\0b",
  "a\0b",
  'a\\"b',
  "é💩.txt",
  "a\u202eb",
  "%00%2f%0d%0a",
  "",
  " ",
  "a".repeat(5_000),
  "CON",
  ".htaccess",
];

it.each(layouts)("no name of a file breaks $name", async ({ operation }) => {
  const json = JSON.stringify(validBody(operation));
  const attempts = Object.keys(operation.body.files).flatMap((fileName) =>
    FILE_NAMES.map((name) => {
      const content = part(`name="${fileName}"; filename="${name}"`, "x: [");
      return {
        ...attempt(operation, `a file called ${name}`, formOf(operation.body, json, content)),
        refused: false,
      };
    }),
  );
  await expectNoHarm(service, attempts);
});

function attempt(operation: MultipartOperation, title: string, body: Buffer, type = FORM_TYPE): Attempt {
  const request = requestTo(operation, service);
  return {
    title,
    request: { ...request, headers: { ...request.headers, "content-type": type }, body },
    refused: true,
  };
}

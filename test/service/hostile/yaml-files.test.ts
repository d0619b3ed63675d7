import { afterAll, beforeAll, expect, it } from "vitest";
import { readYaml, YamlError } from "../../../src/service/kernel/yaml-text.ts";
import { expectNoHarm, startTarget, type Target } from "./attack.ts";
import { formOf, multipartOperations, part, requestTo, validBody } from "./targets.ts";

let service: Target;
beforeAll(async () => {
  service = await startTarget();
});
afterAll(() => service.dispose());

/** A single file is a document that the service reads; attachments are only stored. */
const documents = multipartOperations.flatMap((operation) =>
  Object.entries(operation.body.files).flatMap(([file, { count }]) =>
    count === "one" ? [{ name: operation.name, operation, file }] : [],
  ),
);

/** The first document of each kind gets everything, the others what their shared reader accepts. */
const first = new Set(new Map(documents.toReversed().map((one) => [one.file, one])).values());
const OF_EACH = ["a bomb of aliases", "10,000 nested lists", "bytes that are not text"];

const MB = 1024 * 1024;

/** Files that are not a valid template, policy or schema, each built to hurt a careless reader. */
const HOSTILE_FILES: Readonly<Record<string, string | Uint8Array>> = {
  "a bomb of aliases": bomb(30),
  "a small bomb of aliases": bomb(4),
  "an alias to itself": "bomb: &a [*a]",
  "an alias to nothing": "trail: *nothing",
  "aliases as keys": "? &a bomb\n: *a\n",
  "merged keys": "bomb: &a {x: 1}\ntrail:\n  <<: *a\n",
  "a thousand merges": `bomb: &a {x: 1}\ntrail: {${"<<: *a, ".repeat(1_000)}}`,
  "10,000 nested lists": `bomb: ${"[".repeat(10_000)}${"]".repeat(10_000)}`,
  "10,000 open braces": "{".repeat(10_000),
  "10,000 nested dashes": `${"- ".repeat(10_000)}x`,
  "10,000 nested questions": `${"? ".repeat(10_000)}x`,
  "400 indented levels": Array.from({ length: 400 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"),
  "a thousand keys": Array.from({ length: 1_000 }, (_, index) => `k${index}: 1`).join("\n"),
  "one key twice": "bomb: 1\nbomb: 2\n",
  tabs: "trail:\n\tartifacts:\n\t\t- name: x\n",
  "two documents": "bomb: 1\n---\nversion: 1\n",
  "a thousand documents": "---\nbomb: 1\n".repeat(1_000),
  "a tag": "bomb: !!js/function 'function () { return 1 }'\n",
  "a binary tag": "bomb: !!binary aGVsbG8=\n",
  "a set": "bomb: !!set {a, b}\n",
  "a merge into the prototype": "__proto__: {polluted: 1}\n",
  "a directive": "%YAML 9.9\n---\nbomb: 1\n",
  "a directive of tags": "%TAG ! tag:sample.invalid,2000:\n---\n!bomb x\n",
  "a mark of byte order in the middle": "bomb: \ufeff1\n\ufeffversion: 1\n",
  "UTF-16": Buffer.from("\ufeffbomb: 1\n", "utf16le"),
  "bytes that are not text": Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 151) % 256)),
  zeros: Buffer.alloc(10_000),
  "control characters": "bomb: \u0001\u0007\u001b[31m\n",
  "an overflowing number": "version: 1e999\n",
  "a block without an end": `bomb: |\n${"  x\n".repeat(10_000)}  "`,
  "a quote without an end": `bomb: "${"x".repeat(100_000)}`,
  "quotes without an end": `bomb: ${'"\\'.repeat(50_000)}`,
  "a colon, over and over": "a: ".repeat(5_000),
  "9 MB of text": "bomb: x\n".repeat((9 * MB) / 8),
};

it("there are operations that take a document", () => {
  expect(documents).not.toEqual([]);
});

it.each(documents)("no $file breaks $name", async (document) => {
  const { operation, file } = document;
  const json = JSON.stringify(validBody(operation));
  const request = requestTo(operation, service);
  const titles = first.has(document) ? Object.keys(HOSTILE_FILES) : OF_EACH;
  const attempts = titles.map((title) => ({
    title,
    request: {
      ...request,
      body: formOf(
        operation.body,
        json,
        part(`name="${file}"; filename="file.yml"`, HOSTILE_FILES[title] ?? ""),
      ),
    },
    refused: true,
  }));
  await expectNoHarm(service, attempts);
});

it("a second document is refused", () => {
  expect(() => readYaml("version: 1\n---\nversion: 1\n", "A template")).toThrow(YamlError);
});

function bomb(levels: number): string {
  const lines = Array.from({ length: levels }, (_, level) => {
    const items = level === 0 ? "x, x" : Array.from({ length: 10 }, () => `*a${level - 1}`).join(", ");
    return `a${level}: &a${level} [${items}]`;
  });
  return lines.join("\n");
}

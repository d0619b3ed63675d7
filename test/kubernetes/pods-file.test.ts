import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InputError } from "../../src/api/client/errors.ts";
import { reducePod } from "../../src/kubernetes/pod.ts";
import { readPodsFile } from "../../src/kubernetes/pods-file.ts";
import { type NamespaceInputs, selectNamespaces } from "../../src/kubernetes/select.ts";
import { codePoint } from "../code-point.ts";
import { samplePod } from "./sample-pods.ts";

let folder: string;
let path: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pods-file-"));
  path = join(folder, "pods.json");
});
afterAll(() => rmSync(folder, { recursive: true }));

async function read(content: string | Uint8Array, selection: NamespaceInputs = {}) {
  writeFileSync(path, content);
  const warnings: string[] = [];
  const onWarning = (message: string) => void warnings.push(message);
  const entries = await readPodsFile({ path, selection: selectNamespaces(selection), onWarning });
  return { entries, warnings };
}

async function problem(content: string | Uint8Array): Promise<string> {
  const error = await read(content).then(
    () => "accepted",
    (caught: unknown) => caught,
  );
  if (!(error instanceof InputError)) throw error;
  expect(error.problems.map(({ input }) => input)).toEqual(["pods-file"]);
  return error.message;
}

const PODS = Array.from({ length: 5 }, (_, number) => samplePod(number));
const LIST = {
  apiVersion: "v1",
  items: PODS.map((pod) => ({ apiVersion: "v1", kind: "Pod", ...pod })),
  kind: "List",
};
const ENTRIES = PODS.map((pod) => {
  const reduction = reducePod(pod);
  return "entry" in reduction ? reduction.entry : undefined;
});

describe("a file of pods", () => {
  test.each([
    ["a list as kubectl prints it", JSON.stringify(LIST, null, 4)],
    [
      "a list as the API server returns it",
      JSON.stringify({ kind: "PodList", metadata: { continue: "" }, items: PODS }),
    ],
    ["a list with a byte order mark", `\ufeff${JSON.stringify(LIST)}`],
    ["pods line by line", LIST.items.map((pod) => JSON.stringify(pod)).join("\n")],
    [
      "lists one after the other",
      LIST.items.map((pod) => JSON.stringify({ ...LIST, items: [pod] }, null, 1)).join(""),
    ],
    ["lists that share pods", JSON.stringify(LIST) + JSON.stringify({ ...LIST, items: LIST.items.slice(2) })],
  ])("can be %s", async (_, content) => {
    const { entries, warnings } = await read(content);
    expect(entries).toEqual(ENTRIES);
    expect(warnings).toEqual([]);
  });

  test("can be one pod", async () => {
    const { entries } = await read(JSON.stringify(LIST.items[3], null, 4));
    expect(entries).toEqual([ENTRIES[3]]);
  });

  test("can be an empty list", async () => {
    expect(await read('{"kind":"List","items":[]}')).toEqual({ entries: [], warnings: [] });
  });

  test("can be behind a link", async () => {
    writeFileSync(path, JSON.stringify(LIST));
    const link = join(folder, "link.json");
    symlinkSync(path, link);
    const entries = await readPodsFile({ path: link, selection: selectNamespaces({}), onWarning: () => {} });
    expect(entries).toHaveLength(5);
  });

  test("is reduced to the selected namespaces", async () => {
    const { entries } = await read(JSON.stringify(LIST), { namespaces: ["team-1", "team-4"] });
    expect(entries).toEqual([ENTRIES[1], ENTRIES[4]]);
  });

  test("reports how many pods are excluded and why", async () => {
    const [first, second, ...others] = LIST.items;
    const items = [
      { ...first, status: { phase: "Pending" } },
      { ...second, status: { phase: "Succeeded" } },
      ...others,
    ];
    const { entries } = await read(JSON.stringify({ kind: "List", items }));
    expect(entries).toHaveLength(3);
  });

  test("warns about a few pods without a digest by name, and about the others by number", async () => {
    const items = Array.from({ length: 25 }, (_, number) => ({
      metadata: {
        name: `p${number + 10}`,
        namespace: "n",
        uid: `${number}`,
        creationTimestamp: "2026-01-01T00:00:00Z",
      },
      status: { phase: "Running", containerStatuses: [{ name: "c", image: "app:1", imageID: "" }] },
    }));
    const { entries, warnings } = await read(JSON.stringify({ kind: "PodList", items }));
    expect(entries).toHaveLength(25);
    expect(warnings).toHaveLength(11);
    expect(warnings[0]).toBe(
      "pod n/p10 is reported without the digest of 'app:1' (container c has no image ID yet)",
    );
    expect(warnings[10]).toBe("15 more pods are reported without the digest of an image");
  });

  test("reads what JSON.parse would, for any lists and wherever the file is split into documents", async () => {
    const pod = fc.record({
      metadata: fc.record({
        name: fc.string({ minLength: 1, unit: codePoint }),
        namespace: fc.constantFrom("a", "b"),
        uid: fc.uuid(),
        creationTimestamp: fc.constant("2026-01-01T00:00:00Z"),
        annotations: fc.jsonValue(),
      }),
      status: fc.constant({ phase: "Running" }),
      spec: fc.jsonValue(),
    });
    const list = fc.record({ kind: fc.constant("PodList"), extra: fc.jsonValue(), items: fc.array(pod) });
    await fc.assert(
      fc.asyncProperty(fc.array(list, { minLength: 1 }), fc.constantFrom(0, 1), async (lists, indent) => {
        const { entries } = await read(lists.map((each) => JSON.stringify(each, null, indent)).join("\n"));
        const names = lists.flatMap(({ items }) =>
          items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
        );
        expect(entries.map(({ namespace, podName }) => `${namespace}/${podName}`).sort()).toEqual(
          names.sort(),
        );
      }),
      { numRuns: 50 },
    );
  });
});

describe("a rejected file", () => {
  const text = JSON.stringify(LIST);

  test("is truncated anywhere", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: text.length - 1 }), async (length) => {
        expect(await problem(text.slice(0, length))).toMatch(/found the end of the file|found an empty file/);
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    ["text", "No resources found in default namespace.", "expected JSON, found something else (near byte 0)"],
    [
      "an error in mid-file",
      `${text.slice(0, 20_000)}\u0000${text.slice(20_000)}`,
      "expected JSON, found something else",
    ],
    ["text after the list", `${text}\nwarning: done`, "expected JSON, found something else"],
    ["an extra comma", '{"kind":"List","items":[],}', "expected JSON, found something else (near byte 26)"],
    ["pods in a bare list", JSON.stringify(LIST.items), "expected an object, found [ (near byte 0)"],
    ["a number", "7", "expected an object, found 7"],
    [
      "a list of another kind",
      '{"kind":"DeploymentList","items":[]}',
      "expected a list of pods, found DeploymentList",
    ],
    [
      "a list of mixed kinds",
      '{"kind":"List","items":[{"kind":"Service"}]}',
      "expected a Pod, found Service",
    ],
    ["a list of numbers", '{"kind":"List","items":[7]}', "expected a Pod, found number"],
    ["items that are not a list", '{"kind":"List","items":{}}', "`items` that is not a list"],
    ["an object of another kind", '{"kind":"Status","status":"Failure"}', "expected a Pod, found Status"],
    [
      "one page of a list",
      JSON.stringify({ ...LIST, metadata: { continue: "x" } }),
      "one page of a longer one",
    ],
  ])("has %s", async (_, content, expected) => {
    expect(await problem(content)).toContain(expected);
  });

  test("is UTF-16, as Windows PowerShell writes it, with advice", async () => {
    expect(await problem(Buffer.from(`\ufeff${text}`, "utf16le"))).toContain("expected UTF-8, found UTF-16");
  });

  test("is not quoted, since it contains the environment of containers", async () => {
    expect(await problem('{"kind":"List","items":[{"env":"the-password" "value"}]}')).not.toContain(
      "password",
    );
  });

  test.each(["missing", "directory", "pipe"])("is a path to a %s", async (kind) => {
    const odd = join(folder, kind);
    if (kind === "directory") mkdirSync(odd);
    if (kind === "pipe") execFileSync("mkfifo", [odd]);
    const reading = readPodsFile({ path: odd, selection: selectNamespaces({}), onWarning: () => {} });
    await expect(reading).rejects.toThrow(InputError);
    await expect(reading).rejects.toThrow(/does not exist|is a directory|is not a regular file/);
  });
});

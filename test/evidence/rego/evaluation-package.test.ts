import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { expect, test } from "vitest";
import {
  type EvaluationFiles,
  evaluationData,
  inputDigest,
  packEvaluation,
  unpackEvaluation,
} from "../../../src/evidence/rego/evaluation-package.ts";
import { sha256 } from "../../../src/evidence/rego/policy-files.ts";

const FILES = {
  input: '{"trail":{"name":"ü","version":1.10}}',
  data: evaluationData({ limit: 1 }, 1_790_000_000.5),
  capabilities: '{"builtins":[]}',
  policy: { "policy.rego": "package policy\n", [`lib/${"long/".repeat(30)}x.rego`]: "\uFEFFpackage x\r\n" },
};

async function bytesOf(files: EvaluationFiles) {
  return new Uint8Array(await (await packEvaluation(files)).content.arrayBuffer());
}

function archived(
  entries: readonly { name: string; text?: string; type?: "file" | "directory" | "symlink" }[],
) {
  return packTar(
    entries.map(({ name, text = "{}", type = "file" }) =>
      type === "file"
        ? { header: { name, type, size: Buffer.byteLength(text) }, body: text }
        : { header: { name, type, size: 0, linkname: "/etc/passwd" } },
    ),
  ).then((tar) => new Uint8Array(gzipSync(tar)));
}

test("a package gives back what was packed, and the same evaluation gives the same bytes", async () => {
  const bytes = await bytesOf(FILES);
  expect(await unpackEvaluation(bytes)).toEqual(FILES);
  const { policy, ...others } = FILES;
  const reversed = Object.fromEntries(Object.entries(policy).reverse());
  expect(sha256(Buffer.from(await bytesOf({ ...others, policy: reversed })).toString("hex"))).toBe(
    sha256(Buffer.from(bytes).toString("hex")),
  );
});

test("the data has the params and the time in nanoseconds", () => {
  expect(FILES.data).toBe('{"params":{"limit":1},"evidence":{"evaluation_time":1790000000500000000}}');
  expect(inputDigest("{}")).toBe("sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
});

const COMPLETE = ["input.json", "data.json", "capabilities.json"].map((name) => ({ name }));

test("a package packed by another tar is read", async () => {
  const others = [
    { name: "policy", type: "directory" } as const,
    { name: "./policy/a.rego", text: "package a" },
  ];
  expect(await unpackEvaluation(await archived([...COMPLETE, ...others]))).toEqual({
    input: "{}",
    data: "{}",
    capabilities: "{}",
    policy: { "a.rego": "package a" },
  });
});

test.each([
  ["no input", archived(COMPLETE.slice(1)), "it has no input.json"],
  ["another file", archived([...COMPLETE, { name: "x.sh" }]), "it has the file 'x.sh'"],
  [
    "a link",
    archived([...COMPLETE, { name: "policy/a.rego", type: "symlink" }]),
    "'policy/a.rego' is not a file",
  ],
  ["other content", Promise.resolve(new Uint8Array([1, 2, 3])), "it is not a gzip tar of texts"],
])("a package with %s is refused", async (_, bytes, words) => {
  await expect(unpackEvaluation(await bytes)).rejects.toThrow(words);
});

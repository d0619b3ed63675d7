import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { expect, test } from "vitest";
import {
  describeEvaluation,
  type Evaluation,
  unpackEvaluation,
} from "../../../src/evidence/rego/evaluation-package.ts";
import { policyDigest, sha256 } from "../../../src/evidence/rego/policy-files.ts";

const EVALUATION: Evaluation = {
  by: "client",
  opa: { version: "1.22.2", capabilities: '{"builtins":[]}' },
  files: { "policy.rego": "package policy\n", [`lib/${"long/".repeat(30)}x.rego`]: "\uFEFFpackage x\r\n" },
  params: { limit: 1 },
  context: { trails: [{ flow: "web", trail: "abc" }] },
  input: '{"trail":{"name":"ü","version":1.10}}',
  at: 1_790_000_000.5,
  verdict: { allow: false, violations: ["too old"], skipped: null },
};
const TIME = '{"evaluation_time":1790000000500000000}';
const DATA = `{"params":{"limit":1},"evidence":${TIME},"kosli":${TIME}}`;

async function packed(evaluation: Evaluation) {
  const { record, file } = await describeEvaluation(evaluation);
  return { record, bytes: new Uint8Array(await file.content.arrayBuffer()) };
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
  const { record, bytes } = await packed(EVALUATION);
  const { files: policy, input } = EVALUATION;
  expect(await unpackEvaluation(bytes)).toEqual({
    record,
    input,
    data: DATA,
    capabilities: '{"builtins":[]}',
    policy,
  });
  const reversed = Object.fromEntries(Object.entries(policy).reverse());
  expect(Buffer.compare((await packed({ ...EVALUATION, files: reversed })).bytes, bytes)).toBe(0);
});

test("the record names the engine, the policy and the input", async () => {
  const published = { identifier: "release", version: 3 };
  const files = { "policy.rego": "package policy\n" };
  const input = "{}";
  const { record } = await packed({ ...EVALUATION, published, files, input });
  expect(record).toEqual({
    engine: "opa 1.22.2",
    evaluated_by: "client",
    policy: {
      identifier: "release",
      version: 3,
      published: true,
      digest: policyDigest(files),
      files: { "policy.rego": sha256("package policy\n") },
    },
    params: { limit: 1 },
    context: { trails: [{ flow: "web", trail: "abc" }] },
    evaluated_at: 1_790_000_000.5,
    allow: false,
    violations: ["too old"],
    skipped: null,
    input_digest: "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
  });
});

const { record: RECORD } = await describeEvaluation(EVALUATION);
const COMPLETE = ["evaluation.json", "input.json", "data.json", "capabilities.json"].map((name) => ({
  name,
  text: name === "evaluation.json" ? JSON.stringify(RECORD) : "{}",
}));

test("a package packed by another tar is read", async () => {
  const others = [
    { name: "policy", type: "directory" } as const,
    { name: "./policy/a.rego", text: "package a" },
  ];
  expect(await unpackEvaluation(await archived([...COMPLETE, ...others]))).toEqual({
    record: RECORD,
    input: "{}",
    data: "{}",
    capabilities: "{}",
    policy: { "a.rego": "package a" },
  });
});

test.each([
  ["no input", archived(COMPLETE.toSpliced(1, 1)), "it has no input.json"],
  [
    "another record",
    archived([{ name: "evaluation.json" }, ...COMPLETE.slice(1)]),
    "its evaluation.json is not the record of an evaluation",
  ],
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

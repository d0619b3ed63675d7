import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { PUBLIC_ROOT } from "../../../src/evidence/provenance/public-root.ts";
import { type Signer, Unproven } from "../../../src/evidence/provenance/signer.ts";
import { instanceOf, readTrustedRoots } from "../../../src/evidence/provenance/trusted-roots.ts";
import { verifyBundle } from "../../../src/evidence/provenance/verify-bundle.ts";
import {
  type BundleJson,
  laterSecond,
  RUN,
  type Signing,
  type SigstoreInstance,
  SLSA,
  sigstoreInstance,
  statement,
} from "./sigstore-instance.ts";

const SHA256 = "a".repeat(64);
const OTHER = "b".repeat(64);
const SIGNER: Signer = {
  serverUrl: "https://github.com",
  issuer: RUN.issuer,
  source: { repository: "acme/web", id: "4711" },
  repository: undefined,
  workflow: undefined,
};
const WANTED = { fingerprint: SHA256, predicateType: SLSA, signer: SIGNER };

/** Valid bundles: one of an instance with logs, and one of an instance without. */
let open: SigstoreInstance;
let closed: SigstoreInstance;

beforeAll(async () => {
  const clock = laterSecond();
  [open, closed] = await Promise.all([sigstoreInstance("public", clock), sigstoreInstance("private", clock)]);
});

const roots = (...instances: SigstoreInstance[]) =>
  readTrustedRoots(instances.map(({ trustedRoot }) => JSON.stringify(trustedRoot)).join("\n"), "roots.jsonl");

/** The check that a bundle fails, with the reason. Undefined for a valid bundle. */
function refusal(bundle: unknown, expected = WANTED, trusted = roots(open, closed)): string | undefined {
  try {
    verifyBundle(bundle, expected, trusted);
    return undefined;
  } catch (error) {
    if (error instanceof Unproven) return `${error.check}: ${error.message}`;
    throw error;
  }
}

describe("a valid bundle", () => {
  test("returns the signer, the log entry and its time", async () => {
    const proven = verifyBundle(await open.sign(statement(SHA256)), WANTED, roots(open));
    expect(proven).toMatchObject({ ...RUN, predicateType: SLSA });
    expect(proven.logIndexes).toHaveLength(1);
    expect(proven.timestamps).toHaveLength(1);
  });

  test("of a private repository has a timestamp instead of a log entry", async () => {
    const proven = verifyBundle(await closed.sign(statement(SHA256)), WANTED, roots(open, closed));
    expect(proven).toMatchObject({ ...RUN, logIndexes: [] });
    expect(proven.timestamps).toHaveLength(1);
  });

  describe("with a log without times", () => {
    let second: SigstoreInstance;
    let bundle: BundleJson;

    beforeAll(async () => {
      second = await sigstoreInstance("rekor v2");
      bundle = await second.sign(statement(SHA256));
    });

    test("also has a timestamp", () => {
      const proven = verifyBundle(bundle, WANTED, roots(second));
      expect(proven).toMatchObject({
        ...RUN,
        logIndexes: [expect.any(String)],
        timestamps: [expect.any(Date)],
      });
    });

    test("is invalid without either, or with the entry of another", async () => {
      const [unlogged, unstamped, swapped] = [bundle, bundle, bundle].map((each) => structuredClone(each));
      const other = await second.sign(statement(OTHER));
      if (!unlogged || !unstamped || !swapped) return expect.unreachable();
      unlogged.verificationMaterial.tlogEntries = [];
      unstamped.verificationMaterial.timestampVerificationData.rfc3161Timestamps = [];
      swapped.verificationMaterial.tlogEntries = other.verificationMaterial.tlogEntries;
      expect([unlogged, unstamped, swapped].map((each) => refusal(each, WANTED, roots(second)))).toEqual([
        "transparency log: expected 1 tlog entries, got 0",
        "timestamp: expected 1 timestamps, got 0",
        "transparency log: signature mismatch",
      ]);
    });
  });

  test("may be about several artifacts", async () => {
    const { subject, ...rest } = statement(OTHER);
    const both = { ...rest, subject: [...subject, ...statement(SHA256).subject] };
    expect(refusal(await open.sign(both))).toBeUndefined();
  });
});

describe("a bundle of the public instance, made by a reusable workflow at GitHub in 2024,", () => {
  const path = new URL("../fixtures/provenance/public-repository.sigstore.json", import.meta.url);
  const bundle: BundleJson = JSON.parse(readFileSync(path, "utf8"));
  const trusted = [instanceOf(JSON.parse(PUBLIC_ROOT))];
  const expected = {
    fingerprint: "07e4b8c0e3580b3e4a1eb62c70f1ffb86004d3d94f50767cb404fa7a639b4d05",
    predicateType: SLSA,
    signer: {
      ...SIGNER,
      source: { repository: "malancas/attest-demo", id: "804070735" },
      workflow: { repository: "bdehamer/workflows", path: ".github/workflows/attest.yml" },
    },
  };

  test("is valid with the trusted root of the package", () => {
    expect(verifyBundle(bundle, expected, trusted)).toMatchObject({
      signer: "https://github.com/bdehamer/workflows/.github/workflows/attest.yml@refs/heads/main",
      sourceRepository: "https://github.com/malancas/attest-demo",
      commit: "8304c42402aa3a569882687e0642c359e5a74ac2",
      runnerEnvironment: "github-hosted",
      visibility: "public",
      logIndexes: ["95781729"],
      timestamps: [new Date("2024-05-21T22:56:17Z")],
    });
  });

  test("is invalid when any of its bytes is changed", () => {
    // Flips one bit of each value in it, found by its path.
    const found = [...textsIn(bundle)].filter(([path]) => !IGNORED.test(path));
    expect(found.length).toBeGreaterThan(30);
    const held = found.filter(([path, text]) => {
      const changed = structuredClone(bundle);
      put(changed, path.split("/"), flipped(text));
      return refusal(changed, expected, trusted) === undefined;
    });
    expect(held.map(([path]) => path)).toEqual([]);
  });

  test("is invalid with the trusted root of another Sigstore instance", () => {
    expect(refusal(bundle, expected, roots(open, closed))).toBe(
      "certificate: it was issued by 'O=sigstore.dev, CN=sigstore-intermediate', which no trusted root contains",
    );
  });
});

/** Values that a proof does not need: root and size are also in the log's checkpoint, which the log signed. */
const IGNORED = /inclusionProof\/(rootHash|treeSize)$/;

function* textsIn(value: unknown, path = ""): Generator<[string, string]> {
  if (typeof value === "string") yield [path, value];
  else if (typeof value === "object" && value !== null)
    for (const [key, inner] of Object.entries(value))
      yield* textsIn(inner, path === "" ? key : `${path}/${key}`);
}

function put(target: unknown, [first = "", ...rest]: readonly string[], value: string): void {
  if (typeof target !== "object" || target === null) return;
  if (rest.length === 0) Reflect.set(target, first, value);
  else put(Reflect.get(target, first), rest, value);
}

/** Changes the character in its middle. */
function flipped(text: string): string {
  const at = Math.floor(text.length / 2);
  const code = text.charCodeAt(at);
  const other = /[a-y0-8A-Y]/.test(text[at] ?? "") ? code + 1 : code === 57 ? 56 : 65;
  return text.slice(0, at) + String.fromCharCode(other) + text.slice(at + 1);
}

describe("each changed part is rejected by its own check", () => {
  type Change = (bundle: BundleJson, other: BundleJson) => void;
  const envelope = ({ dsseEnvelope }: BundleJson) => {
    if (dsseEnvelope === undefined) throw new Error("no envelope");
    return dsseEnvelope;
  };
  const material = ({ verificationMaterial }: BundleJson) => verificationMaterial;

  const withLog: Readonly<Record<string, [Change, string]>> = {
    "a payload about another artifact": [
      (bundle) => {
        envelope(bundle).payload = Buffer.from(JSON.stringify(statement(OTHER))).toString("base64");
      },
      "transparency log: DSSE payload hash mismatch",
    ],
    "the signature of another bundle": [
      (bundle, other) => {
        envelope(bundle).signatures = envelope(other).signatures;
      },
      "transparency log: tlog entry signature mismatch",
    ],
    "another type of payload": [
      (bundle) => {
        envelope(bundle).payloadType = "text/plain";
      },
      "signature: signature verification failed",
    ],
    "the certificate of another run": [
      (bundle, other) => {
        Object.assign(material(bundle), { certificate: material(other).certificate });
      },
      "signature: signature verification failed",
    ],
    "the log's entry of another artifact": [
      (bundle, other) => {
        material(bundle).tlogEntries = material(other).tlogEntries;
      },
      "transparency log: tlog entry signature mismatch",
    ],
    "no log entry": [
      (bundle) => {
        material(bundle).tlogEntries = [];
      },
      "timestamp: expected 1 timestamps, got 0",
    ],
    "a log entry twice": [
      (bundle) => {
        material(bundle).tlogEntries.push(...material(bundle).tlogEntries);
      },
      "timestamp: duplicate timestamp",
    ],
    "a log entry without its promise": [
      (bundle) => {
        for (const entry of material(bundle).tlogEntries) delete entry.inclusionPromise;
      },
      "timestamp: expected 1 timestamps, got 0",
    ],
    "a log entry with a later time": [
      (bundle) => {
        for (const entry of material(bundle).tlogEntries)
          entry.integratedTime = String(Number(entry.integratedTime) + 1);
      },
      "transparency log: inclusion promise could not be verified",
    ],
    "a log entry without its proof": [
      (bundle) => {
        for (const entry of material(bundle).tlogEntries) delete entry.inclusionProof;
      },
      "form: it cannot be read as a Sigstore bundle: invalid bundle (verificationMaterial.tlogEntries[0].inclusionProof)",
    ],
    "no certificate": [
      (bundle) => {
        delete material(bundle).certificate;
      },
      "form: it cannot be read as a Sigstore bundle: invalid bundle (verificationMaterial.content)",
    ],
    "a key in place of the certificate": [
      (bundle) => {
        delete material(bundle).certificate;
        material(bundle).publicKey = { hint: "mine" };
      },
      "form: it was signed with a key, not with the certificate of a workflow run",
    ],
    "a certificate that is none": [
      (bundle) => {
        material(bundle).certificate = { rawBytes: "AAAA" };
      },
      "form: it cannot be read as a Sigstore bundle: …",
    ],
    "no signature": [
      (bundle) => {
        envelope(bundle).signatures = [];
      },
      "form: it cannot be read as a Sigstore bundle: invalid bundle (content.dsseEnvelope.signatures)",
    ],
    "two signatures": [
      (bundle, other) => {
        envelope(bundle).signatures.push(...envelope(other).signatures);
      },
      "form: it cannot be read as a Sigstore bundle: invalid bundle (content.dsseEnvelope.signatures)",
    ],
    "no statement": [
      (bundle) => {
        delete bundle.dsseEnvelope;
      },
      "form: it cannot be read as a Sigstore bundle: invalid bundle (content)",
    ],
    "a signed file in place of a statement": [
      (bundle) => {
        delete bundle.dsseEnvelope;
        bundle.messageSignature = {
          messageDigest: { algorithm: "SHA2_256", digest: "AAAA" },
          signature: "AAAA",
        };
      },
      "form: it signs a file, not a statement",
    ],
  };

  test.each(Object.entries(withLog))("with a log: %s", async (_, [change, expected]) => {
    const [bundle, other] = await Promise.all([open.sign(statement(SHA256)), open.sign(statement(OTHER))]);
    change(bundle, other);
    expectRefusal(refusal(bundle), expected);
  });

  const stamped: Readonly<Record<string, [Change, string]>> = {
    "a payload about another artifact": [
      (bundle) => {
        envelope(bundle).payload = Buffer.from(JSON.stringify(statement(OTHER))).toString("base64");
      },
      "signature: signature verification failed",
    ],
    "the timestamp of another signature": [
      (bundle, other) => {
        material(bundle).timestampVerificationData = material(other).timestampVerificationData;
      },
      "timestamp: timestamp could not be verified",
    ],
    "a timestamp that is none": [
      (bundle) => {
        material(bundle).timestampVerificationData.rfc3161Timestamps = [{ signedTimestamp: "MAA=" }];
      },
      "form: it cannot be read as a Sigstore bundle: …",
    ],
    "no timestamp": [
      (bundle) => {
        material(bundle).timestampVerificationData.rfc3161Timestamps = [];
      },
      "timestamp: expected 1 timestamps, got 0",
    ],
    "a timestamp twice": [
      (bundle) => {
        const { rfc3161Timestamps } = material(bundle).timestampVerificationData;
        rfc3161Timestamps.push(...rfc3161Timestamps);
      },
      "timestamp: duplicate timestamp",
    ],
    "only a timestamp": [
      (bundle) => {
        delete bundle.dsseEnvelope;
        delete material(bundle).certificate;
      },
      "form: it cannot be read as a Sigstore bundle: invalid bundle (content, verificationMaterial.content)",
    ],
  };

  test.each(Object.entries(stamped))("with a timestamp: %s", async (_, [change, expected]) => {
    const bundle = await closed.sign(statement(SHA256));
    const other = await closed.sign(statement(OTHER));
    change(bundle, other);
    expectRefusal(refusal(bundle), expected);
  });

  test("rejects an entry that another log made", async () => {
    const bundle = await closed.sign(statement(SHA256));
    const foreign = await open.sign(statement(SHA256));
    bundle.verificationMaterial.tlogEntries = foreign.verificationMaterial.tlogEntries;
    expect(refusal(bundle)).toMatch(/^transparency log: /);
  });

  test("rejects a timestamp in place of a log entry for an instance with a log", async () => {
    const bundle = await open.sign(statement(SHA256));
    const stamp = await closed.sign(statement(SHA256));
    bundle.verificationMaterial.tlogEntries = [];
    bundle.verificationMaterial.timestampVerificationData =
      stamp.verificationMaterial.timestampVerificationData;
    expect(refusal(bundle)).toMatch(/^timestamp: /);
  });

  test.each([null, 1, "text", [], {}, { mediaType: "application/json" }])(
    "rejects what is not a bundle: %j",
    (data) => {
      expect(refusal(data)).toMatch(/^form: it cannot be read as a Sigstore bundle: /);
    },
  );
});

function expectRefusal(found: string | undefined, expected: string): void {
  const [start = "", ...more] = expected.split("…");
  expect(found).toEqual(more.length > 0 ? expect.stringContaining(start) : expected);
}

describe("a valid bundle is rejected when it is", () => {
  const other = "https://github.com/mallory/web";
  const at = (repository: string) =>
    `https://github.com/${repository}/.github/workflows/build.yml@refs/heads/main`;
  const cases: Readonly<Record<string, [Signing, Partial<Signer>, string]>> = {
    "certified for another issuer": [
      { run: { issuer: "https://gitlab.com" } },
      {},
      "issuer: its issuer is https://gitlab.com, not https://token.actions.githubusercontent.com",
    ],
    "certified for an issuer with a name like GitHub's": [
      { run: { issuer: `${RUN.issuer}.example.com` } },
      {},
      `issuer: its issuer is ${RUN.issuer}.example.com, not ${RUN.issuer}`,
    ],
    "certified without an issuer": [
      { run: { issuer: "" } },
      {},
      `issuer: its issuer is unknown, not ${RUN.issuer}`,
    ],
    "built in another repository of this name": [
      { run: { sourceRepositoryId: "666" } },
      {},
      "source repository: it was built in https://github.com/acme/web (id 666), not in https://github.com/acme/web (id 4711)",
    ],
    "built in another repository with an unknown id": [
      { run: { sourceRepository: other } },
      { source: { repository: "acme/web" } },
      `source repository: it was built in ${other}, not in https://github.com/acme/web`,
    ],
    "signed in another repository": [
      { run: { signer: at("mallory/web") } },
      {},
      "signer: a workflow of mallory/web signed it, not one of acme/web",
    ],
    "signed in another repository, which previously had this one's name": [
      { run: { sourceRepository: "https://github.com/acme/old" } },
      {},
      "signer: a workflow of acme/web signed it, not one of acme/old",
    ],
    "signed in a repository other than signer-repository": [
      {},
      { repository: "acme/workflows" },
      "signer: a workflow of acme/web signed it, not one of acme/workflows",
    ],
    "signed by another workflow": [
      {},
      { workflow: { repository: "acme/web", path: ".github/workflows/release.yml" } },
      "signer: acme/web/.github/workflows/build.yml@refs/heads/main signed it, not acme/web/.github/workflows/release.yml",
    ],
    "signed at another ref": [
      {},
      {
        workflow: {
          repository: "acme/web",
          path: ".github/workflows/build.yml",
          ref: "refs/tags/v1",
        },
      },
      "signer: acme/web/.github/workflows/build.yml@refs/heads/main signed it, not acme/web/.github/workflows/build.yml@refs/tags/v1",
    ],
    "signed on another server": [
      { run: { signer: at("acme/web").replace("github.com", "github.com.example.com") } },
      {},
      `signer: it was signed by '${at("acme/web").replace("github.com", "github.com.example.com")}', which is not a workflow`,
    ],
    "signed by a run of another event": [
      { run: { trigger: "pull_request" } },
      { events: ["push", "release"] },
      "event: a run of 'pull_request' signed it, not of push, release",
    ],
    "signed on a self-hosted runner": [
      { run: { runnerEnvironment: "self-hosted" } },
      { deniesSelfHosted: true },
      "runner: its run was on a self-hosted runner, not on a github-hosted one",
    ],
    "signed by a person": [
      { run: { signer: "https://ada.example.com" } },
      {},
      "signer: it was signed by 'https://ada.example.com', which is not a workflow",
    ],
  };

  test.each(Object.entries(cases))("%s", async (_, [signing, signer, expected]) => {
    const bundle = await open.sign(statement(SHA256), signing);
    expect(refusal(bundle, { ...WANTED, signer: { ...SIGNER, ...signer } })).toBe(expected);
  });

  test("about another artifact", async () => {
    expect(refusal(await open.sign(statement(OTHER)))).toBe(`subject: it is about ${OTHER}, not ${SHA256}`);
  });

  test("about an artifact identified only by another digest", async () => {
    const content = { ...statement(SHA256), subject: [{ name: SHA256, digest: { sha512: SHA256 } }] };
    expect(refusal(await open.sign(content))).toBe(
      `subject: it is about nothing with a sha256, not ${SHA256}`,
    );
  });

  test("of another type", async () => {
    expect(refusal(await open.sign(statement(SHA256, "https://spdx.dev/Document")))).toBe(
      `predicate: it is a https://spdx.dev/Document, not a ${SLSA}`,
    );
  });

  test.each([
    ["no statement", [1], {}],
    ["a statement of an unknown version", { ...statement(SHA256), _type: "mine" }, {}],
    ["a statement under another type", statement(SHA256), { payloadType: "application/json" }],
  ])("%s", async (_, content, signing) => {
    expect(refusal(await open.sign(content, signing))).toMatch(/^form: its payload is /);
  });
});

describe("the signer is accepted", () => {
  const run = {
    signer: "https://github.com/Acme/Workflows/.github/workflows/build.yml@refs/tags/v3",
  };
  test.each<[string, Partial<Run>, Partial<Signer>]>([
    ["of a repository, whatever the case of its name", run, { repository: "acme/workflows" }],
    [
      "by the workflow, at any ref",
      run,
      { workflow: { repository: "acme/workflows", path: ".github/workflows/build.yml" } },
    ],
    [
      "by the workflow at its ref",
      run,
      {
        workflow: {
          repository: "acme/workflows",
          path: ".github/workflows/build.yml",
          ref: "refs/tags/v3",
        },
      },
    ],
    [
      "by id, though the repository was renamed",
      {
        sourceRepository: "https://github.com/acme/old",
        signer: "https://github.com/acme/old/.github/workflows/build.yml@refs/heads/main",
      },
      {},
    ],
    [
      "by id, by its own workflow, though the repository was renamed",
      {
        sourceRepository: "https://github.com/acme/old",
        signer: "https://github.com/acme/old/.github/workflows/build.yml@refs/heads/main",
      },
      { workflow: { repository: "acme/web", path: ".github/workflows/build.yml" } },
    ],
    ["with the issuer of an enterprise at GitHub", { issuer: `${RUN.issuer}/acme-inc` }, {}],
  ])("%s", async (_, known, signer) => {
    const bundle = await open.sign(statement(SHA256), { run: known });
    expect(refusal(bundle, { ...WANTED, signer: { ...SIGNER, ...signer } })).toBeUndefined();
  });

  test("on another server", async () => {
    const at = "https://github.example.com";
    const known = {
      issuer: `${at}/_services/token`,
      signer: RUN.signer.replace("https://github.com", at),
      sourceRepository: `${at}/acme/web`,
    };
    const signer = { ...SIGNER, serverUrl: at, issuer: `${at}/_services/token` };
    const bundle = await closed.sign(statement(SHA256), { run: known });
    expect(refusal(bundle, { ...WANTED, signer })).toBeUndefined();
  });
});

type Run = typeof RUN;

describe("a trusted root is rejected that is", () => {
  test.each([
    ["no JSON", "roots", "'r' has no trusted root: "],
    ["another object", "{}", "its mediaType is ''"],
    [
      "without an authority",
      JSON.stringify({ mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1" }),
      "it has no certificate authority",
    ],
  ])("%s", (_, text, problem) => {
    expect(() => readTrustedRoots(text, "r")).toThrow(problem);
  });

  test("without a source of time", () => {
    const root = { ...closed.trustedRoot, timestampAuthorities: [] };
    expect(() => readTrustedRoots(JSON.stringify(root), "r")).toThrow(
      "it has neither a transparency log nor a timestamp authority",
    );
  });
});

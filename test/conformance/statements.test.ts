import { createHash } from "node:crypto";
import { bundleFromJSON, envelopeToJSON, isBundleWithDsseEnvelope } from "@sigstore/bundle";
import { expect, it } from "vitest";
import { openStatement } from "../../src/evidence/provenance/statements/dsse.ts";
import { pipeline, textFile } from "./pipeline.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const target = await conformance();
const { client, org } = target;
const { delivered, attest, environment } = pipeline(target);

type Asked = Parameters<typeof client.stateVerdict>[0];

async function stated(asked: Asked): Promise<string> {
  const { body } = await client.stateVerdict(asked);
  expect(body.mediaType).toBe("application/vnd.dsse.envelope.v1+json");
  return Buffer.from(body.content).toString();
}

async function publishedKeys(): Promise<{ keyid: string; public_key: string }[]> {
  const { status, body } = await target.sendRaw("GET", "/.well-known/evidence-keys.json");
  expect(status).toBe(200);
  return body.keys;
}

/** The statement in an envelope, after a check with the published key that it names. */
async function opened(envelope: string) {
  const { signatures } = JSON.parse(envelope);
  const key = (await publishedKeys()).find(({ keyid }) => keyid === signatures[0].keyid);
  const statement = openStatement(envelope, key?.public_key ?? "");
  return JSON.parse(statement ?? "null");
}

it("a compliant artifact has a verification summary with everything that it depends on", async () => {
  const built = await delivered();
  await attest(built);
  const { fingerprint, flow } = built;
  const envelope = await stated({ fingerprint });
  const { subject, predicateType, predicate } = await opened(envelope);
  const { body } = await client.stateVerdict({ fingerprint, format: "bundle" });
  expect(body.mediaType).toBe("application/vnd.dev.sigstore.bundle.v0.3+json");
  const bundle = bundleFromJSON(JSON.parse(Buffer.from(body.content).toString()));
  if (!isBundleWithDsseEnvelope(bundle)) throw new Error("The bundle has no envelope");
  expect(envelopeToJSON(bundle.content.dsseEnvelope)).toEqual(JSON.parse(envelope));
  expect(subject).toEqual([{ name: "web:1.2", digest: { sha256: fingerprint } }]);
  expect(predicateType).toBe("https://slsa.dev/verification_summary/v1");
  expect(predicate).toEqual({
    verifier: { id: expect.stringMatching(/^http.+\/verifier\/v1$/) },
    timeVerified: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    resourceUri: `pkg:generic/web%3A1.2?checksum=sha256:${fingerprint}`,
    policy: {
      uri: expect.stringContaining(`/${org}/flows/${flow}`),
      digest: { sha256: expect.stringMatching(/^[a-f0-9]{64}$/) },
    },
    inputAttestations: expect.any(Array),
    verificationResult: "PASSED",
    verifiedLevels: ["EVIDENCE_FLOW_COMPLIANT"],
    slsaVersion: "1.2",
  });
  const types: string[] = [];
  for (const { uri, digest } of predicate.inputAttestations) {
    const eventId = new URL(uri).searchParams.get("event_id") ?? "";
    const { event } = (await client.getLogProof({ eventId })).body;
    expect(createHash("sha256").update(event).digest("hex")).toBe(digest.sha256);
    types.push(JSON.parse(event).type);
  }
  expect(types.sort()).toEqual(["artifact.reported", "attestation.recorded"]);
});

it("a repeated question has the same statement, until something that it depends on changes", async () => {
  const built = await delivered();
  const { fingerprint, flow: flowName } = built;
  const first = await stated({ fingerprint, flowName });
  expect(await stated({ fingerprint, flowName })).toBe(first);
  const elsewhere = await stated({ fingerprint, flowName, resourceUri: "ghcr.io/acme/web" });
  expect((await opened(elsewhere)).predicate.resourceUri).toBe("ghcr.io/acme/web");
  await attest(built);
  const second = await stated({ fingerprint, flowName });
  expect(second).not.toBe(first);
  expect((await opened(second)).predicate.inputAttestations).toHaveLength(2);
});

it("an artifact that is not compliant has a failed summary, and no simple result", async () => {
  const { fingerprint } = await delivered(
    "version: 1\ntrail: { artifacts: [{ name: web, attestations: [{ name: unit, type: junit }] }] }\n",
  );
  const { predicate } = await opened(await stated({ fingerprint }));
  expect(predicate).toMatchObject({ verificationResult: "FAILED", verifiedLevels: ["FAILED"] });
  await expect(client.stateVerdict({ fingerprint, statement: "svr" })).rejects.toMatchObject({
    status: 409,
    code: "statement.not_compliant",
  });
});

it("a simple result names the environment, and says that an allowlist decided", async () => {
  const { fingerprint } = await delivered(
    "version: 1\ntrail: { attestations: [{ name: unit, type: junit }] }\n",
  );
  const environmentName = await environment();
  const policy = unique("policy");
  const file = textFile(
    "policy.yml",
    "_schema: https://kosli.com/schemas/policy/environment/v1\nartifacts: { trail-compliance: { required: true } }\n",
  );
  await client.putPolicy({ body: { name: policy }, files: { policyFile: file } });
  await client.attachPolicies({ envName: environmentName, body: { policyNames: [policy] } });
  const failed = await opened(await stated({ fingerprint, environmentName }));
  expect(failed.predicate.verificationResult).toBe("FAILED");
  await client.allowArtifact({
    envName: environmentName,
    body: { artifactName: "web", artifactFingerprint: fingerprint, description: "known" },
  });
  const { predicateType, predicate } = await opened(
    await stated({ fingerprint, environmentName, statement: "svr" }),
  );
  expect(predicateType).toBe("https://in-toto.io/attestation/svr/v0.2");
  expect(predicate).toEqual({
    verifier: {
      id: expect.stringMatching(/\/verifier\/v1$/),
      policies: [
        {
          uri: expect.stringContaining(`/${org}/environments/${environmentName}`),
          digest: { sha256: expect.stringMatching(/^[a-f0-9]{64}$/) },
        },
      ],
    },
    timeCreated: expect.any(String),
    properties: ["EVIDENCE_ENVIRONMENT_ALLOWLISTED"],
  });
});

it("an attestation has a statement with the predicate of its type, signed once", async () => {
  const { flow: flowName, trail: trailName, fingerprint, commit } = await delivered();
  const names = [unique("unit"), unique("sbom"), unique("note")] as const;
  const junitResults = [
    { name: "api", total: 1, failures: 0, errors: 0, skipped: 0, duration: 1, timestamp: 1 },
  ];
  await client.attestJunit({
    flowName,
    trailName,
    body: { attestationName: names[0], artifactFingerprint: fingerprint, junitResults },
  });
  const bom = { bomFormat: "CycloneDX", specVersion: "1.6", components: [] };
  await client.attestSystem({
    flowName,
    trailName,
    body: {
      attestationName: names[1],
      typeName: "sbom",
      attestationData: { format: "cyclonedx-1.6", original_fingerprint: fingerprint, document: {} },
    },
    files: { attachmentFile: [textFile("bom.json", JSON.stringify(bom))] },
  });
  await client.attestGeneric({
    flowName,
    trailName,
    body: { attestationName: names[2], isCompliant: true, gitCommitInfo: { sha1: commit } },
  });
  const statementOf = async (name: string) => {
    const { body } = await client.listAttestations({ name });
    const attestationId = body.data[0]?.attestationId ?? "";
    const sign = () => client.stateAttestation({ flowName, trailName, attestationId });
    const envelope = Buffer.from((await sign()).body.content).toString();
    expect(Buffer.from((await sign()).body.content).toString()).toBe(envelope);
    return opened(envelope);
  };
  const [tests, sbom, note] = [
    await statementOf(names[0]),
    await statementOf(names[1]),
    await statementOf(names[2]),
  ];
  expect(tests).toMatchObject({
    subject: [{ name: "web:1.2", digest: { sha256: fingerprint } }],
    predicateType: "https://in-toto.io/attestation/test-result/v0.1",
    predicate: { result: "PASSED", passedTests: ["api"], failedTests: [] },
  });
  expect(sbom).toMatchObject({ predicateType: "https://cyclonedx.org/bom", predicate: bom });
  expect(note).toMatchObject({
    subject: [{ name: trailName, digest: { gitCommit: commit } }],
    predicateType: "https://delivery-evidence.github.io/toolkit/attestation/v1",
    predicate: { name: names[2], type: "generic", isCompliant: true },
  });
});

it("a caller limited to a flow learns nothing of a report in another", async () => {
  const own = await delivered();
  const { flow: hidden, trail } = await delivered();
  const { fingerprint } = own;
  await client.reportArtifact({
    flowName: hidden,
    body: {
      ...{
        trailName: trail,
        fingerprint,
        filename: "registry.example/secret-name",
        gitCommit: "c".repeat(40),
      },
      ...{ buildUrl: "https://ci.example/1", commitUrl: "https://git.example/1" },
      externalUrls: { artifact: { href: "https://secret.example" } },
    },
  });
  const name = unique("reader");
  await client.createServiceAccount({ body: { name, privilege: "reader" } });
  const { body } = await client.createApiKey({
    name,
    body: { description: "limited", flows: [own.flow], environments: [] },
  });
  const limited = await target.clientFor(body.key).stateVerdict({ fingerprint });
  const { subject, predicate } = await opened(Buffer.from(limited.body.content).toString());
  expect(subject[0].name).toBe("web:1.2");
  expect(JSON.stringify(predicate)).not.toContain("secret");
  expect((await opened(await stated({ fingerprint }))).subject[0].name).toBe("registry.example/secret-name");
});

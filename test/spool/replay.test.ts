import { rmSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { reportArtifact } from "../../src/api/resources/artifact-report.ts";
import { type Replayed, replay } from "../../src/spool/replay.ts";
import { spool } from "../../src/spool/spool.ts";
import { httpServer, json } from "../api/local-server.ts";
import { startTestService, type TestService } from "../service/running-service.ts";
import { faultyConnection } from "./faulty-connection.ts";
import {
  connectTo,
  fileOf,
  ORG,
  type Sample,
  sampleSubmission,
  sha256,
  temporaryFolder,
} from "./fixtures.ts";

let service: TestService;
let client: EvidenceClient;
beforeAll(async () => {
  service = await startTestService();
  client = new EvidenceClient({ apiKey: service.keys.reader, org: ORG, baseUrl: service.address });
});
afterAll(async () => {
  await client.close();
  await service.dispose();
});

const FINGERPRINT = sha256("an artifact");
const commit = {
  sha1: "0dcf2a8e6bd4f1a7c1b8b0dd2a1c0e6bb1f4c2aa",
  message: "m",
  author: "a",
  timestamp: 1,
  branch: "main",
};
const artifact = {
  fingerprint: FINGERPRINT,
  filename: "app.tgz",
  buildUrl: "https://github.com/acme/web/actions/runs/77",
  commitUrl: "https://github.com/acme/web/commit/0dcf2a8",
  gitCommit: commit.sha1,
};

/** A spool with submissions of its own trail. */
async function spooled(trail: string, ...samples: readonly Sample[]) {
  const folder = await temporaryFolder();
  const connection = connectTo(service.address, service.keys.member);
  const names: string[] = [];
  for (const sample of samples) {
    names.push(await spool(folder.path, await sampleSubmission(connection, { ...sample, trail })));
  }
  const replayed = async (key = service.keys.member, address = service.address) => {
    const own = connectTo(address, key);
    const results: Replayed[] = [];
    const report = await replay(folder.path, own, { tell: (one) => results.push(one) });
    await own.close();
    const { recorded, found, left, stopped } = report;
    return {
      count: { recorded, found, left },
      stopped: stopped?.message,
      results: results.map(({ result }) => result),
      warnings: results.flatMap((one) => (one.result === "left" ? [] : one.warnings)),
      reasons: results.flatMap((one) => (one.result === "left" ? one.reason : [])),
    };
  };
  return {
    names,
    path: folder.path,
    replayed,
    [Symbol.asyncDispose]: async () => {
      await connection.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function onTrail(trail: string, name: string) {
  const { body } = await client.listTrailAttestations({
    flowName: "web",
    trailName: trail,
    attestationName: name,
  });
  return body;
}

describe("replaying", () => {
  test("records in order, an artifact before its attestations, with files and exact digits", async () => {
    const userData = { id: JSON.rawJSON("9007199254740993") };
    await using box = await spooled(
      "order",
      { operation: reportArtifact, body: { ...artifact, trailName: "order" } },
      {
        body: { attestationName: "unit", isCompliant: true, artifactFingerprint: FINGERPRINT, userData },
        files: [fileOf("log.txt", "hello")],
      },
    );
    expect(await box.replayed()).toMatchObject({
      count: { recorded: 2, found: 0, left: 0 },
      results: ["recorded", "recorded"],
    });
    const about = { flowName: "web", fingerprint: FINGERPRINT, attestationName: "unit" };
    const { body } = await client.getArtifactAttestation(about);
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({
      artifactFingerprint: FINGERPRINT,
      evidenceArchiveFingerprint: sha256("hello"),
    });
    const answer = await fetch(
      `${service.address}/api/v2/attestations/${ORG}/web/artifact/${FINGERPRINT}/unit`,
      {
        headers: { authorization: `Bearer ${service.keys.reader}` },
      },
    );
    expect(await answer.text()).toContain("9007199254740993");
  });

  test("again does nothing, and a submission that lost its mark is found to be recorded", async () => {
    await using box = await spooled("again", { body: { attestationName: "unit", isCompliant: true } });
    expect((await box.replayed()).count).toEqual({ recorded: 1, found: 0, left: 0 });
    expect((await box.replayed()).count).toEqual({ recorded: 0, found: 0, left: 0 });
    await rm(join(box.path, box.names[0] ?? "", "recorded.json"));
    expect((await box.replayed()).count).toEqual({ recorded: 0, found: 1, left: 0 });
    expect(await onTrail("again", "unit")).toHaveLength(1);
  });

  test("after days, when the service has forgotten the key of the request, records nothing twice", async () => {
    await using box = await spooled(
      "late",
      { operation: reportArtifact, body: { ...artifact, fingerprint: sha256("late"), trailName: "late" } },
      { body: { attestationName: "unit", isCompliant: true } },
    );
    await box.replayed();
    for (const name of box.names) await rm(join(box.path, name, "recorded.json"));
    service.clock.time += 3 * 86_400;
    expect((await box.replayed()).count).toEqual({ recorded: 0, found: 2, left: 0 });
    expect(await onTrail("late", "unit")).toHaveLength(1);
  });

  test.each([
    ["a trail", {}],
    ["an artifact", { artifactFingerprint: FINGERPRINT }],
    ["a missing artifact of the template", { targetArtifacts: ["app"], gitCommitInfo: commit }],
  ])(
    "with another API key, which has its own deduplication, records nothing of %s twice",
    async (what, binding) => {
      const trail = `other-key-${what.replaceAll(" ", "-")}`;
      await using box = await spooled(
        trail,
        { operation: reportArtifact, body: { ...artifact, trailName: trail } },
        { body: { attestationName: "bound", isCompliant: true, ...binding } },
      );
      expect((await box.replayed()).count).toEqual({ recorded: 2, found: 0, left: 0 });
      for (const name of box.names) await rm(join(box.path, name, "recorded.json"));
      expect((await box.replayed(service.keys.admin)).count).toEqual({ recorded: 0, found: 2, left: 0 });
    },
  );

  test("two equal submissions that were made separately creates two records", async () => {
    const alike = { body: { attestationName: "unit", isCompliant: true } };
    await using box = await spooled("twins", alike, alike);
    expect((await box.replayed()).count).toEqual({ recorded: 2, found: 0, left: 0 });
    expect(await onTrail("twins", "unit")).toHaveLength(2);
  });
});

describe("unrecordable submissions", () => {
  test("that are rejected do not block the others, and are retried", async () => {
    await using box = await spooled(
      "refused",
      { body: { attestationName: "of-nothing", isCompliant: true, artifactFingerprint: sha256("unknown") } },
      { body: { attestationName: "fine", isCompliant: true } },
    );
    const { count, results, reasons } = await box.replayed();
    expect({ count, results }).toEqual({
      count: { recorded: 1, found: 0, left: 1 },
      results: ["left", "recorded"],
    });
    expect(reasons[0]).toContain("attestGeneric, status 404");
    expect((await box.replayed()).count).toEqual({ recorded: 0, found: 0, left: 1 });
  });

  test("include an attestation until its artifact is reported", async () => {
    const fingerprint = sha256("refused");
    await using box = await spooled(
      "needs",
      { operation: reportArtifact, body: { ...artifact, fingerprint, trailName: "needs" } },
      { body: { attestationName: "unit", isCompliant: true, artifactFingerprint: fingerprint } },
    );
    const file = join(box.path, box.names[0] ?? "", "submission.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replaceAll(artifact.commitUrl, "no address"));
    const { count, reasons } = await box.replayed();
    expect(count).toEqual({ recorded: 0, found: 0, left: 2 });
    expect(reasons).toEqual([
      expect.stringContaining("reportArtifact, status 400"),
      `it needs ${box.names[0]}, which is not on record`,
    ]);
  });

  test("include an override, even with the key of an admin", async () => {
    const member = new EvidenceClient({ apiKey: service.keys.member, org: ORG, baseUrl: service.address });
    const place = { flowName: "web", trailName: "gate" };
    await member.attestGeneric({ ...place, body: { attestationName: "scan", isCompliant: false } });
    await member.close();
    await using box = await spooled("gate", { body: { attestationName: "scan", isCompliant: true } });
    const file = join(box.path, box.names[0] ?? "", "submission.json");
    const body = {
      attestation_name: "scan",
      reason: "mallory says so",
      new_compliance_status: true,
      original_attestation_type: "generic",
    };
    const submission = JSON.parse(await readFile(file, "utf8"));
    const override = {
      ...submission,
      operation: "overrideAttestation",
      body: JSON.stringify(body),
      files: [],
    };
    await writeFile(file, JSON.stringify(override));
    const { count, reasons } = await box.replayed(service.keys.admin);
    expect({ count, reasons }).toEqual({
      count: { recorded: 0, found: 0, left: 1 },
      reasons: ["it is damaged: 'overrideAttestation' cannot be replayed: only evidence can"],
    });
    expect(await onTrail("gate", "scan")).toMatchObject([{ isCompliant: false }]);
  });

  test("are reported by name when damaged, and do not block the others", async () => {
    await using box = await spooled(
      "damaged",
      { body: { attestationName: "a", isCompliant: true }, files: [fileOf("log.txt", "hello")] },
      { body: { attestationName: "b", isCompliant: true } },
    );
    await writeFile(join(box.path, box.names[0] ?? "", "files", "0"), "HELLO");
    const { count, reasons } = await box.replayed();
    expect(count).toEqual({ recorded: 1, found: 0, left: 1 });
    expect(reasons).toEqual(["it is damaged: its file 'log.txt' was modified: its SHA-256 differs"]);
  });

  test.each([
    ["half a character", "\ud800"],
    ["a text of 20,000 characters", "作".repeat(20_000)],
  ])("are not blocked by the run's description in %s", async (what, workflow) => {
    await using box = await spooled(`odd-run-${what.length}`, {
      body: { attestationName: "a", isCompliant: true },
    });
    const file = join(box.path, box.names[0] ?? "", "submission.json");
    const submission = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, JSON.stringify({ ...submission, made_by: { workflow } }));
    expect((await box.replayed()).count).toEqual({ recorded: 1, found: 0, left: 0 });
  });

  test("include another organization's evidence", async () => {
    await using folder = await temporaryFolder();
    const theirs = connectTo(service.address, service.keys.stranger, { org: "rival" });
    await spool(
      folder.path,
      await sampleSubmission(theirs, { body: { attestationName: "unit", isCompliant: true } }),
    );
    const ours = connectTo(service.address, service.keys.member);
    expect(await replay(folder.path, ours)).toMatchObject({ recorded: 0, left: 1 });
    await ours.close();
    await theirs.close();
  });

  test.each([
    [
      "no service",
      (): [string, string] => [service.keys.member, "http://127.0.0.1:9"],
      "connection refused (127.0.0.1:9, listTrailAttestations)",
    ],
    ["an unknown key", (): [string, string] => ["de_unknown", service.address], "the API key was rejected"],
    [
      "a key without the right",
      (): [string, string] => [service.keys.reader, service.address],
      "lacks the right",
    ],
  ])("%s stops it, and all is kept", async (name, withWhat, reason) => {
    const trail = `stopped-${name.replaceAll(" ", "-")}`;
    const body = (attestationName: string) => ({ body: { attestationName, isCompliant: true } });
    await using box = await spooled(trail, body("a"), body("b"), body("c"));
    const { count, stopped } = await box.replayed(...withWhat());
    expect(count).toEqual({ recorded: 0, found: 0, left: 3 });
    expect(stopped).toContain(reason);
    expect((await box.replayed()).count).toEqual({ recorded: 3, found: 0, left: 0 });
  });
});

test("a lost response causes no second record, even days later", async () => {
  await using box = await spooled("lost", { body: { attestationName: "unit", isCompliant: true } });
  // The check for an existing record passes, the submission's response is lost.
  const faults = [undefined, "drop after"] as const;
  let at = 0;
  await using way = await faultyConnection(service.address, () => faults[at++]);
  expect(await box.replayed(service.keys.member, way.address)).toMatchObject({ count: { left: 1 } });
  expect(await readdir(join(box.path, box.names[0] ?? ""))).toEqual(["submission.json"]);
  service.clock.time += 3 * 86_400;
  expect((await box.replayed()).count).toEqual({ recorded: 0, found: 1, left: 0 });
  expect(await onTrail("lost", "unit")).toHaveLength(1);
});

test("a record that cannot be marked as recorded stays recorded, with a warning", async () => {
  await using box = await spooled("unmarked", { body: { attestationName: "unit", isCompliant: true } });
  const server = await httpServer((response, { method }) => {
    if (method === "GET") return json(response, 404, { message: "no such trail" });
    rmSync(box.path, { recursive: true });
    return json(response, 201, "OK");
  });
  const { count, warnings } = await box.replayed(service.keys.member, server.url);
  expect(count).toEqual({ recorded: 1, found: 0, left: 0 });
  expect(warnings).toEqual([
    expect.stringMatching(/^it is on record, but could not be marked as recorded \(ENOENT/),
  ]);
});

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { artifactBody, pipeline, textFile } from "./pipeline.ts";
import { expectRefusal } from "./refusal.ts";
import { invalidQueries, pagingEdges } from "./tables.ts";
import { conformance } from "./target.ts";
import { someCommit, someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client, ask, org } = target;
const { flow, trail, attest, delivered } = pipeline(target);

const unknownFlow = (name: string) => `Flow named '${name}' does not exist for organization '${org}'`;
const unknownTrail = (name: string, flowName: string) =>
  `Trail with name '${name}' does not exist for Organization '${org}' and Flow '${flowName}'`;
const built = await delivered();
const [flowName, trailName] = [built.flow, built.trail];

async function record(more: object, files: readonly ReturnType<typeof textFile>[] = []) {
  const attestationName = unique("attestation");
  const body = { attestationName, isCompliant: true, ...more };
  const reply = await client.attestGeneric({ flowName, trailName, body, files: { attachmentFile: files } });
  expect([reply.status, reply.body]).toEqual([201, "OK"]);
  const { body: records } = await client.listTrailAttestations({ flowName, trailName, attestationName });
  return { attestationName, records };
}

describe("a generic attestation", () => {
  it("on a trail is read back with all its fields", async () => {
    const gitCommitInfo = {
      sha1: built.commit,
      message: "m",
      authorUsername: "ada",
      parents: [someCommit()],
      verified: true,
      signatureState: "VALID",
    };
    const externalUrls = { report: { href: "https://x.example/r", fingerprint: someFingerprint() } };
    const given = {
      isCompliant: false,
      originUrl: "https://ci.example/7",
      description: "d",
      annotations: { "tool-name_1": "eslint" },
      userData: { snake_case: { n: 1 } },
    };
    const { attestationName, records } = await record({ ...given, gitCommitInfo, externalUrls });
    expect(records).toMatchObject([
      {
        ...given,
        gitCommitInfo,
        externalUrls,
        schemaVersion: 1,
        attestationName,
        attestationType: "generic",
        createdAt: expect.any(Number),
        hasAuditPackage: false,
        reportedBy: expect.any(String),
        flowName,
        trailName,
        _links: { self: { href: expect.stringContaining(`/api/v2/attestations/${org}`) } },
      },
    ]);
    const id = records[0]?.attestationId;
    expect(id).toMatch(/^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{8}$/);
    expect(records[0]?.htmlUrl).toContain(
      `/${org}/flows/${flowName}/trails/${trailName}?attestation_id=${id}`,
    );
  });

  it("without user data has an empty object", async () => {
    expect((await record({})).records).toMatchObject([{ userData: {} }]);
  });

  it("keeps whole numbers of any size in user data", async () => {
    const attestationName = unique("attestation");
    const body = `{"attestation_name":"${attestationName}","is_compliant":true,"user_data":{"n":12345678901234567890}}`;
    const params = { flow_name: flowName, trail_name: trailName };
    expect((await ask("attestGeneric", { params, body })).status).toBe(201);
    const { text } = await ask("listTrailAttestations", {
      params: { ...params, attestation_name: attestationName },
    });
    expect(text).toContain('"n":12345678901234567890');
  });

  it("accepts plain addresses for its links", async () => {
    const { records } = await record({ externalUrls: { plain: "https://x.example/p" } });
    expect(records[0]).toMatchObject({ externalUrls: { plain: { href: "https://x.example/p" } } });
  });

  it("creates the missing flow and trail", async () => {
    const [newFlow, newTrail] = [unique("flow"), unique("trail")];
    const body = { attestationName: "unit", isCompliant: true };
    await client.attestGeneric({ flowName: newFlow, trailName: newTrail, body });
    expect((await client.getTrail({ flowName: newFlow, trailName: newTrail })).body).toMatchObject({
      complianceState: "COMPLIANT",
      complianceStatus: { attestationsStatuses: [{ attestationName: "unit", unexpected: true }] },
    });
  });

  it("on an artifact is found by the whole fingerprint or its start", async () => {
    const attestationName = await attest(built);
    for (const fingerprint of [built.fingerprint, built.fingerprint.slice(0, 12)]) {
      const { body } = await client.getArtifactAttestation({ flowName, fingerprint, attestationName });
      expect(body).toMatchObject([{ attestationName, artifactFingerprint: built.fingerprint }]);
    }
  });

  it("of one name is stored each time, newest first", async () => {
    const { attestationName } = await record({ description: "first" });
    const body = { attestationName, isCompliant: false, description: "second" };
    await client.attestGeneric({ flowName, trailName, body });
    const { body: records } = await client.listTrailAttestations({ flowName, trailName, attestationName });
    expect(records.map(({ description }) => description)).toEqual(["second", "first"]);
  });

  it("for a template artifact binds to the artifact later built from the commit", async () => {
    const own = await flow();
    const ownTrail = await trail(own);
    const attestationName = unique("attestation");
    const commit = someCommit();
    const body = {
      attestationName,
      isCompliant: true,
      targetArtifacts: ["web"],
      gitCommitInfo: { sha1: commit },
    };
    await client.attestGeneric({ flowName: own, trailName: ownTrail, body });
    const fingerprint = someFingerprint();
    await client.reportArtifact({
      flowName: own,
      body: {
        fingerprint,
        filename: "web",
        buildUrl: "https://ci.example/7",
        commitUrl: "https://git.example/c",
        gitCommit: commit,
        trailName: ownTrail,
        templateReferenceName: "web",
      },
    });
    const found = await client.getArtifactAttestation({ flowName: own, fingerprint, attestationName });
    expect(found.body).toMatchObject([{ attestationName, isCompliant: true }]);
  });

  it("for a template artifact needs a fingerprint or a commit", async () => {
    const call = record({ targetArtifacts: ["web"] }).then(({ records }) => ({ status: 201, body: records }));
    await expectRefusal(call, 400, /requires at least one of: artifact_fingerprint or git_commit_info\./);
  });

  it("is refused for an artifact that the trail does not know", async () => {
    const fingerprint = someFingerprint();
    const body = { attestationName: "unit", isCompliant: true, artifactFingerprint: fingerprint };
    await expectRefusal(
      client.attestGeneric({ flowName, trailName, body }),
      404,
      `Artifact with fingerprint ${fingerprint} does not exist in trail "${trailName}" of flow "${flowName}" belonging to organization "${org}"`,
    );
  });

  it("is refused for an archived flow", async () => {
    const own = await flow();
    await client.archiveFlow({ flowName: own });
    const body = { attestationName: "unit", isCompliant: true };
    await expectRefusal(
      client.attestGeneric({ flowName: own, trailName: unique("trail"), body }),
      404,
      `Flow named '${own}' has been archived for organization '${org}'`,
    );
  });

  it("is recorded once when it is sent again without a key, until another of its name is recorded", async () => {
    const attestationName = unique("attestation");
    const params = { flow_name: flowName, trail_name: trailName };
    for (const is_compliant of [true, true, false, true]) {
      const sent = ask("attestGeneric", {
        params,
        body: { attestation_name: attestationName, is_compliant },
      });
      expect((await sent).status).toBe(201);
    }
    const { body } = await client.listTrailAttestations({ flowName, trailName, attestationName });
    expect(body.map(({ isCompliant }) => isCompliant)).toEqual([true, false, true]);
  });

  it("is recorded once when it is sent again with its idempotency key, which is refused with another body", async () => {
    const attestationName = unique("attestation");
    const idempotencyKey = unique("key");
    const send = (isCompliant: boolean) =>
      client.attestGeneric(
        { flowName, trailName, body: { attestationName, isCompliant } },
        { idempotencyKey },
      );
    expect([(await send(true)).status, (await send(true)).status]).toEqual([201, 201]);
    const { body } = await client.listTrailAttestations({ flowName, trailName, attestationName });
    expect(body).toHaveLength(1);
    await expectRefusal(send(false), 422, "Idempotency-Key was used with another request");
  });
});

describe("the evidence of an attestation", () => {
  const download = async (attestationId = "") =>
    (await client.downloadEvidence({ flowName, trailName, attestationId })).body;

  it("with one file is that file, byte for byte", async () => {
    const { records } = await record({}, [textFile("a b.txt", "one\ntwo\r\n")]);
    expect(records[0]).toMatchObject({
      hasAuditPackage: true,
      evidenceArchiveFingerprint: createHash("sha256").update("one\ntwo\r\n").digest("hex"),
      _links: { self: { href: expect.any(String) }, evidence: { href: expect.any(String) } },
    });
    const file = await download(records[0]?.attestationId);
    expect(file.name).toBe("a b.txt");
    expect(file.mediaType).toMatch(/^text\/plain/);
    expect(Buffer.from(file.content).toString()).toBe("one\ntwo\r\n");
  });

  it("is always saved and never displayed, whatever its type", async () => {
    const page = {
      name: "r\u00e9sum\u00e9 1.html",
      content: new Blob(["<script>1</script>"], { type: "text/html" }),
    };
    const { records } = await record({}, [page]);
    const attestation_id = records[0]?.attestationId ?? "";
    const params = { flow_name: flowName, trail_name: trailName, attestation_id };
    const { headers } = await ask("downloadEvidence", { params });
    expect(headers).toMatchObject({
      "content-type": expect.not.stringContaining("html"),
      "content-disposition": "attachment; filename*=UTF-8''r%C3%A9sum%C3%A9%201.html",
      "x-content-type-options": "nosniff",
    });
  });

  it("is found only in the flow and the trail of its attestation", async () => {
    const { records } = await record({}, [textFile("a.txt", "a")]);
    const attestationId = records[0]?.attestationId ?? "";
    const [other, none] = [await trail(flowName), unique("none")];
    const at = (flow: string, trailNamed: string) =>
      client.downloadEvidence({ flowName: flow, trailName: trailNamed, attestationId });
    await expectRefusal(
      at(flowName, other),
      404,
      `Attestation '${attestationId}' does not exist in trail '${other}' of flow '${flowName}'`,
    );
    await expectRefusal(at(none, trailName), 404, unknownFlow(none));
    await expectRefusal(at(flowName, none), 404, unknownTrail(none, flowName));
  });

  it("with several files is an archive of them", async () => {
    const { records } = await record({}, [textFile("a.txt", "a"), textFile("b.txt", "b")]);
    const file = await download(records[0]?.attestationId);
    expect([...file.content.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  });

  it("has no download without a file", async () => {
    const { records } = await record({});
    const message = "This attestation has no evidence file attached.";
    const attestationId = records[0]?.attestationId ?? "";
    await expectRefusal(client.downloadEvidence({ flowName, trailName, attestationId }), 404, message);
  });

  it("is refused for an attestation that does not exist", async () => {
    const attestationId = "00000000-0000-0000-0000-00000000";
    await expectRefusal(client.downloadEvidence({ flowName, trailName, attestationId }), 404, /./);
  });

  it("may be 10 MB a file and no more, in at most 20 files", async () => {
    const params = { flow_name: flowName, trail_name: trailName };
    const limit = 10 * 1024 * 1024;
    const sent = (files: Record<string, { name: string; text: Uint8Array<ArrayBuffer> }>) =>
      ask("attestGeneric", {
        params,
        body: { attestation_name: unique("attestation"), is_compliant: true },
        files,
      });
    const file = (bytes: number) => ({ name: "report.html", text: new Uint8Array(bytes) });
    expect((await sent({ attachment_file: file(limit) })).status).toBe(201);
    expect((await sent({ attachment_file: file(0) })).status).toBe(201);
    await expectRefusal(
      sent({ attachment_file: file(limit + 1) }),
      413,
      /^attachment 'report\.html' is .*; the limit is 10 MB$/,
    );
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`attachment_file.${index}`, file(1)]));
    expect((await sent(many(20))).status).toBe(201);
    expect((await sent(many(21))).status).toBeGreaterThanOrEqual(400);
  });
});

describe("reading the attestations of a name", () => {
  it("returns none if nothing was attested", async () => {
    const attestationName = unique("none");
    const { body } = await client.listTrailAttestations({ flowName, trailName, attestationName });
    expect(body).toEqual([]);
    const { fingerprint } = built;
    expect((await client.getArtifactAttestation({ flowName, fingerprint, attestationName })).body).toEqual(
      [],
    );
  });

  it.each(["a.b", "a b", "ü", "%2e%2e", "a/b"])(
    "returns none of an invalid attestation name: '%s'",
    async (attestationName) => {
      const { fingerprint } = built;
      expect((await client.listTrailAttestations({ flowName, trailName, attestationName })).body).toEqual([]);
      const onArtifact = client.getArtifactAttestation({ flowName, fingerprint, attestationName });
      expect((await onArtifact).body).toEqual([]);
    },
  );

  it("finds no flow or trail by an invalid name", async () => {
    const attestationName = "unit";
    const { fingerprint } = built;
    await expectRefusal(
      client.listTrailAttestations({ flowName, trailName: "a b", attestationName }),
      404,
      unknownTrail("a b", flowName),
    );
    await expectRefusal(
      client.getArtifactAttestation({ flowName: "a b", fingerprint, attestationName }),
      404,
      unknownFlow("a b"),
    );
  });

  it("is refused for a wrong flow, trail or start of a fingerprint", async () => {
    const none = unique("none");
    const read = (flow: string, trail: string) =>
      client.listTrailAttestations({ flowName: flow, trailName: trail, attestationName: "unit" });
    await expectRefusal(read(none, none), 404, unknownFlow(none));
    await expectRefusal(read(flowName, none), 404, unknownTrail(none, flowName));
    for (const fingerprint of ["ab12", "AB12C", "a".repeat(65)]) {
      const params = { flow_name: flowName, fingerprint, attestation_name: "unit" };
      expect((await ask("getArtifactAttestation", { params })).status).toBe(400);
    }
    const byFingerprint = client.getArtifactAttestation({
      flowName: none,
      fingerprint: someFingerprint(),
      attestationName: "unit",
    });
    await expectRefusal(byFingerprint, 404, unknownFlow(none));
  });
});

describe("listing attestations", () => {
  it("of a flow comes in pages, newest first, and by time", async () => {
    const own = await delivered();
    const [older, newer] = [await attest(own), await attest(own)];
    const listed = async (query: object = {}) =>
      (await client.listFlowAttestations({ flowName: own.flow, ...query })).body;
    const all = await listed();
    expect(all.data.map(({ attestationName }) => attestationName)).toEqual([newer, older]);
    expect(all.pagination).toMatchObject({ total: 2, page: 1, perPage: 20, pageCount: 1 });
    expect((await listed({ page: 2, perPage: 1 })).data).toMatchObject([{ attestationName: older }]);
    expect((await listed({ toTimestamp: 1 })).data).toEqual([]);
    expect((await listed({ fromTimestamp: 1 })).data).toHaveLength(2);
  });

  it("of an unknown name or type finds nothing", async () => {
    for (const query of [{ name: "a b" }, { type: ["a b"] }])
      expect((await client.listAttestations(query)).body.data).toEqual([]);
  });

  it("of an unknown flow is refused", async () => {
    const none = unique("none");
    await expectRefusal(client.listFlowAttestations({ flowName: none }), 404, unknownFlow(none));
  });

  it("of the organization by id returns that one or none", async () => {
    const { records } = await record({});
    const attestationId = records[0]?.attestationId ?? "";
    const listed = async (id: string) => (await client.listAttestations({ attestationId: id })).body.data;
    expect(await listed(attestationId)).toEqual(records);
    expect(await listed("00000000-0000-0000-0000-00000000")).toEqual([]);
  });

  it("of the organization is filtered by name, part of a name, flow, type and status", async () => {
    const own = await delivered();
    const [passed, failed] = [await attest(own, true), await attest(own, false)];
    const names = async (query: object) =>
      (await client.listAttestations(query)).body.data.map(({ attestationName }) => attestationName);
    const flow = [own.flow];
    expect(await names({ flow })).toEqual([failed, passed]);
    expect(await names({ name: passed })).toEqual([passed]);
    expect(await names({ nameRegex: `${passed.slice(0, -2)}.*` })).toEqual([passed]);
    expect(await names({ flow, isCompliant: false })).toEqual([failed]);
    expect(await names({ flow, type: ["generic"] })).toHaveLength(2);
    expect(await names({ flow, type: ["junit", "custom:x"] })).toEqual([]);
    expect(await names({ flow, type: ["no such type"] })).toEqual([]);
    expect(await names({ flow, toTimestamp: 1 })).toEqual([]);
    const call = ask("listAttestations", { query: { name: "a", name_regex: "a" } });
    expect((await call).status).toBe(400);
  });

  it("of the organization is filtered by a trail of one flow", async () => {
    const own = await delivered();
    const name = await attest(own);
    const trail = unique("other");
    await client.beginTrail({ flowName: own.flow, body: { name: trail } });
    const names = async (query: object) =>
      (await client.listAttestations({ flow: [own.flow], ...query })).body.data.map(
        ({ attestationName }) => attestationName,
      );
    expect(await names({ trail: own.trail })).toEqual([name]);
    expect(await names({ trail })).toEqual([]);
    expect((await ask("listAttestations", { query: { flow: own.flow, trail: unique("none") } })).status).toBe(
      404,
    );
  });

  it("of the organization finds a renamed flow by its former name as well", async () => {
    const own = await delivered();
    const attestationName = await attest(own);
    const newName = unique("renamed");
    await client.renameFlow({ flowName: own.flow, body: { newName } });
    for (const name of [own.flow, newName]) {
      const { body } = await client.listAttestations({ flow: [name] });
      expect(body.data).toMatchObject([{ attestationName, flowName: newName }]);
    }
  });

  it("of the organization continues from the end of the previous page", async () => {
    const own = await delivered();
    const names = [await attest(own), await attest(own), await attest(own)];
    const found: string[] = [];
    let after: string | undefined;
    do {
      const query = { flow: [own.flow], perPage: 2, ...(after !== undefined && { after }) };
      const { body } = await client.listAttestations(query);
      found.push(...body.data.map(({ attestationName }) => attestationName));
      after = body._links?.next?.after;
    } while (after !== undefined);
    expect(found).toEqual(names.toReversed());
  });

  pagingEdges(target, "listFlowAttestations", () => ({ params: { flow_name: flowName } }), {
    ...{ max: 100, isCut: true },
  });
  invalidQueries(target, "listAttestations", () => ({}), [
    [{ per_page: 0 }, "per_page", "Input should be greater than or equal to 1"],
    [{ per_page: 101 }, "per_page", "Input should be less than or equal to 100"],
    [{ is_compliant: "x" }, "is_compliant", "Input should be a valid boolean"],
    [{ from_timestamp: "x" }, "from_timestamp", "Input should be a valid"],
    [{ to_timestamp: "1.5" }, "to_timestamp", "Input should be a valid integer"],
    [{ name: "a", name_regex: "a" }, "name_regex", "Only one of name and name_regex may be given"],
    [{ trail: "x" }, "trail", "Give exactly one flow with a trail"],
    [{ name_regex: "(" }, "name_regex", "Input should be a valid regular expression"],
    [{ after: "x" }, "after", "Input should be _links.next.after of an earlier response"],
  ]);
  invalidQueries(target, "listFlowAttestations", () => ({ params: { flow_name: flowName } }), [
    [{ from_timestamp: "x" }, "from_timestamp", "Input should be a valid"],
    [{ to_timestamp: "x" }, "to_timestamp", "Input should be a valid"],
  ]);
});

describe("listing the attestations of commits", () => {
  it("returns them by commit, filtered", async () => {
    const [commit, none] = [someCommit(), someCommit()];
    const { attestationName } = await record({ gitCommitInfo: { sha1: commit } });
    const listed = async (query: object) =>
      (await client.listAttestationsForCriteria({ commitList: [commit, none], ...query })).body;
    expect((await listed({}))[commit]).toMatchObject([{ attestationName }]);
    for (const query of [{ flowName }, { attestationName }, { attestationType: "generic" }]) {
      expect((await listed(query))[commit]).toHaveLength(1);
    }
    for (const query of [{ attestationName: "other" }, { attestationType: "junit" }]) {
      expect((await listed(query))[commit] ?? []).toEqual([]);
    }
  });

  it("requires commits, and an existing type", async () => {
    const message = "commit_list is required: provide one or more commit SHAs to search.";
    await expectRefusal(ask("listAttestationsForCriteria"), 400, message);
    expect((await ask("listAttestationsForCriteria", { query: { commit_list: "abc" } })).status).toBe(400);
    const query = { commit_list: someCommit(), attestation_type: "nothing" };
    const { status, body } = await ask("listAttestationsForCriteria", { query });
    expect(status).toBe(422);
    expect(body.detail[0]).toMatchObject({
      loc: expect.any(Array),
      msg: expect.any(String),
      type: expect.any(String),
    });
  });
});

it("a response says whether the flow was created", async () => {
  const [newFlow, otherFlow] = [unique("flow"), unique("flow")];
  const attestTo = (flow_name: string) =>
    ask("attestGeneric", {
      params: { flow_name, trail_name: "t" },
      body: { attestation_name: unique("attestation"), is_compliant: true },
    });
  expect((await attestTo(newFlow)).headers["x-flow-created"]).toBe("true");
  expect((await attestTo(newFlow)).headers["x-flow-created"]).toBe("false");
  const params = { flow_name: otherFlow };
  const body = artifactBody({ trailName: "t", fingerprint: someFingerprint(), commit: someCommit() });
  const report = { ...body, build_url: body.buildUrl, commit_url: body.commitUrl, trail_name: "t" };
  const answers = [
    await ask("reportArtifact", { params, body: report }),
    await ask("reportArtifact", { params, body: { ...report, filename: "other" } }),
  ];
  expect(answers.map(({ headers }) => headers["x-flow-created"])).toEqual(["true", "false"]);
});

describe("an equal request without an Idempotency-Key after its flow was renamed", () => {
  const attestTo = (flow_name: string, trail_name: string, is_compliant: boolean) =>
    ask("attestGeneric", {
      params: { flow_name, trail_name },
      body: { attestation_name: "unit", is_compliant },
    });
  const verdicts = async (flow: string, trailOfFlow: string) => {
    const params = { flowName: flow, trailName: trailOfFlow, attestationName: "unit" };
    return (await client.listTrailAttestations(params)).body.map(({ isCompliant }) => isCompliant);
  };
  const renamed = async () => {
    const [old, now] = [await flow(), unique("renamed")];
    const of = await trail(old);
    expect((await attestTo(old, of, false)).headers).not.toHaveProperty("idempotent-replayed");
    await client.renameFlow({ flowName: old, body: { newName: now } });
    return { old, now, of };
  };

  it("is answered as a repeat, and the response says so", async () => {
    const { old, now, of } = await renamed();
    const again = await attestTo(old, of, false);
    expect([again.status, again.headers["idempotent-replayed"]]).toEqual([201, "true"]);
    expect(await verdicts(now, of)).toEqual([false]);
  });

  it("is a new record once something else was recorded by the new name", async () => {
    const { old, now, of } = await renamed();
    await attestTo(now, of, true);
    expect((await attestTo(old, of, false)).headers).not.toHaveProperty("idempotent-replayed");
    expect(await verdicts(now, of)).toEqual([false, true, false]);
  });

  it("is a new record in another flow that took the old name", async () => {
    const { old, now, of } = await renamed();
    await client.createFlow({ body: { name: old, description: "", template: [] } });
    expect((await attestTo(old, of, false)).status).toBe(201);
    expect([await verdicts(old, of), await verdicts(now, of)]).toEqual([[false], [false]]);
  });
});

it("the types that the service defines are listed with their schemas", async () => {
  const { body } = await client.listSystemAttestationTypes({});
  expect(body).toContainEqual(expect.objectContaining({ name: "decision" }));
  expect(body).toContainEqual(expect.objectContaining({ name: "sbom" }));
});

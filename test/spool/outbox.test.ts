import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { reportArtifact } from "../../src/api/resources/artifact-report.ts";
import { attestGeneric } from "../../src/api/resources/generic-attestation.ts";
import { Outbox } from "../../src/spool/outbox.ts";
import { openSubmission, readSpool } from "../../src/spool/read.ts";
import { replay } from "../../src/spool/replay.ts";
import { MARK } from "../../src/spool/submission.ts";
import { startTestService, type TestService } from "../service/running-service.ts";
import { type Fault, faultyConnection } from "./faulty-connection.ts";
import { connectTo, ORG, sha256, temporaryFolder } from "./fixtures.ts";

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

/** A job whose steps have one outbox each, on a connection with predetermined faults. */
async function job(trail: string, faults: readonly (Fault | undefined)[] = []) {
  const folder = await temporaryFolder();
  const left = [...faults];
  const way = await faultyConnection(service.address, () => left.shift());
  const connections: ReturnType<typeof connectTo>[] = [];
  return {
    path: folder.path,
    way,
    step() {
      const connection = connectTo(way.address, service.keys.member);
      connections.push(connection);
      const outbox = new Outbox({ folder: folder.path, connection });
      return async (name: string, more: object = {}) => {
        const body = { attestationName: name, isCompliant: true, ...more };
        return "spooled" in (await outbox.submit(attestGeneric, { flowName: "web", trailName: trail, body }));
      };
    },
    async kept() {
      const opened = await Promise.all((await readSpool(folder.path)).map(openSubmission));
      return opened.map(({ submission }) => JSON.parse(submission?.prepared.json ?? "{}").attestation_name);
    },
    [Symbol.asyncDispose]: async () => {
      for (const connection of connections) await connection.close();
      await way[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The names of a trail's attestations in the order they were recorded. */
async function recorded(trail: string) {
  const { body } = await client.listFlowAttestations({ flowName: "web", perPage: 100 });
  const own = body.data.filter(({ trailName }) => trailName === trail);
  return own.map(({ attestationName }) => attestationName).reverse();
}

describe("an outbox", () => {
  test("sends submissions with marks that identify them", async () => {
    await using own = await job("sent");
    expect(await own.step()("unit", { annotations: { mine: "kept" } })).toBe(false);
    const about = { flowName: "web", trailName: "sent", attestationName: "unit" };
    const [record] = (await client.listTrailAttestations(about)).body;
    expect(record?.annotations).toEqual({ mine: "kept", [MARK]: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(await readSpool(own.path)).toEqual([]);
  });

  test("spools a submission when the service is down, and all later ones of the step", async () => {
    await using own = await job("down", ["drop before"]);
    const submit = own.step();
    expect(await submit("a")).toBe(true);
    expect(await submit("b")).toBe(true);
    expect(await own.kept()).toEqual(["a", "b"]);
    // The second was not even tried.
    expect([...own.way.met]).toEqual([["drop before", 1]]);
  });

  test("of a later step sends spooled submissions first", async () => {
    await using own = await job("later", ["drop before"]);
    await own.step()("a");
    const submit = own.step();
    expect(await submit("b")).toBe(false);
    expect(await submit("c")).toBe(false);
    expect(await recorded("later")).toEqual(["a", "b", "c"]);
  });

  test("of a later step that finds the service down again spools its own after the waiting ones", async () => {
    await using own = await job("down-again", ["drop before", "drop before"]);
    await own.step()("a");
    await own.step()("b");
    expect(await own.kept()).toEqual(["a", "b"]);
    await own.step()("c");
    expect(await recorded("down-again")).toEqual(["a", "b", "c"]);
  });

  test("that missed the response to a recorded submission leaves one record", async () => {
    await using own = await job("unheard", ["5xx after commit"]);
    expect(await own.step()("a")).toBe(true);
    expect(await recorded("unheard")).toEqual(["a"]);
    const connection = connectTo(service.address, service.keys.member);
    expect(await replay(own.path, connection)).toMatchObject({ recorded: 0, found: 1, left: 0 });
    await connection.close();
    expect(await recorded("unheard")).toEqual(["a"]);
  });

  test("and every replay send a submission with its original key", async () => {
    // Each replay first checks whether it is recorded, and this request passes.
    await using own = await job("same-key", [
      "drop before",
      undefined,
      "drop before",
      undefined,
      "drop before",
    ]);
    await own.step()("a");
    const connection = connectTo(own.way.address, service.keys.member);
    for (const left of [1, 1, 0]) expect(await replay(own.path, connection)).toMatchObject({ left });
    await connection.close();
    const [kept] = await readSpool(own.path);
    const id = kept && (await openSubmission(kept)).submission?.id;
    expect(own.way.keys).toEqual([id, id, id, id]);
  });

  test("spools nothing that is rejected, since it would be rejected again", async () => {
    await using own = await job("refused");
    const unknown = { artifactFingerprint: sha256("unknown") };
    await expect(own.step()("a", unknown)).rejects.toMatchObject({ status: 404 });
    expect(await readSpool(own.path)).toEqual([]);
  });

  test("skips a spooled submission that is rejected by now, and spools those that depend on it", async () => {
    await using own = await job("waits");
    const down = connectTo("http://127.0.0.1:9", service.keys.member);
    const fingerprint = sha256("an artifact of a flow that is nowhere");
    const report = {
      fingerprint,
      filename: "app",
      buildUrl: "https://ci.example/7",
      commitUrl: "https://ci.example/8",
    };
    const before = new Outbox({ folder: own.path, connection: down });
    await before.submit(reportArtifact, { flowName: "nowhere", body: report });
    await down.close();

    expect(await own.step()("free")).toBe(false);
    expect(await recorded("waits")).toEqual(["free"]);
    const connection = connectTo(service.address, service.keys.member);
    const request = {
      flowName: "nowhere",
      trailName: "waits",
      body: { attestationName: "of-it", isCompliant: true, artifactFingerprint: fingerprint },
    };
    const submitted = await new Outbox({ folder: own.path, connection }).submit(attestGeneric, request);
    await connection.close();
    const [artifact, attestation] = (await readSpool(own.path)).map(({ name }) => name);
    expect(submitted).toEqual({
      spooled: attestation,
      reason: `it needs ${artifact}, which is not on record`,
    });
  });

  test("says why it fails when it cannot spool either", async () => {
    const connection = connectTo("http://127.0.0.1:9", service.keys.member);
    const outbox = new Outbox({ folder: "/dev/null/spool", connection });
    const request = { flowName: "web", trailName: "t", body: { attestationName: "a", isCompliant: true } };
    await expect(outbox.submit(attestGeneric, request)).rejects.toThrow(
      /^on-unavailable: nothing was recorded \(.*connection refused.*\), and it could not be spooled either: ENOTDIR/,
    );
    await connection.close();
  });
});

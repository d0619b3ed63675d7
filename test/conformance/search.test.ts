import { describe, expect, it } from "vitest";
import { pipeline } from "./pipeline.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { PATTERN } from "./tables.ts";
import { conformance } from "./target.ts";
import { someCommit, someFingerprint } from "./unique.ts";

const target = await conformance();
const { client, ask } = target;
const { flow, trail, artifact, delivered, environment, report } = pipeline(target);

describe("searching", () => {
  it("finds an artifact by its fingerprint or the start of it", async () => {
    const built = await delivered();
    for (const searchValue of [built.fingerprint, built.fingerprint.slice(0, 12)]) {
      const { body } = await client.searchSha({ searchValue });
      expect(body).toMatchObject({
        resolvedTo: { type: "fingerprint", fullMatch: built.fingerprint },
        artifacts: [
          {
            fingerprint: built.fingerprint,
            name: "web:1.2",
            hasProvenance: true,
            gitCommit: built.commit,
            flow: built.flow,
            trail: built.trail,
            complianceState: "COMPLIANT",
            runningIn: [],
            exitedFrom: [],
          },
        ],
      });
    }
  });

  it("finds a trail and its artifact by words", async () => {
    const built = await delivered();
    const { body } = await client.search({ q: built.trail });
    expect(body.groups).toMatchObject([
      { kind: "trail", total: 1, results: [{ name: built.trail }] },
      { kind: "artifact", total: 1, results: [{ fingerprint: built.fingerprint }] },
    ]);
  });

  it("finds artifacts by their commit or the start of it", async () => {
    const built = await delivered();
    for (const searchValue of [built.commit, built.commit.slice(0, 12)]) {
      const { body } = await client.searchSha({ searchValue });
      expect(body).toMatchObject({
        resolvedTo: { type: "commit", fullMatch: built.commit },
        artifacts: [{ fingerprint: built.fingerprint }],
      });
    }
  });

  it("lists all matches of a start", async () => {
    const start = someFingerprint().slice(0, 10);
    const flowName = await flow();
    const trailName = await trail(flowName);
    const both = [start.padEnd(64, "1"), start.padEnd(64, "2")];
    for (const fingerprint of both) await artifact(flowName, trailName, fingerprint);
    const { body } = await client.searchSha({ searchValue: start });
    expect(body.resolvedTo).toMatchObject({ type: "multiple", fingerprints: { count: 2 } });
    expect(body.resolvedTo?.fingerprints?.matches?.toSorted()).toEqual(both);
    expect(body.artifacts).toHaveLength(2);
  });

  it("is refused without a match", async () => {
    const value = someCommit();
    await expectRefusal(client.searchSha({ searchValue: value }), 404, `No matches for '${value}'.`);
  });

  it.each(["abc1", "xyz12345", "ABCDEG", "a".repeat(65)])("is refused for '%s'", async (value) => {
    await expectInvalid(ask("searchSha", { params: { search_value: value } }), { search_value: PATTERN });
  });

  it("ignores letter case", async () => {
    const built = await delivered();
    for (const value of [built.fingerprint, built.commit]) {
      const { body } = await client.searchSha({ searchValue: value.toUpperCase() });
      expect(body).toMatchObject({ resolvedTo: { fullMatch: value }, artifacts: [{ name: "web:1.2" }] });
    }
    const none = someCommit().toUpperCase();
    await expectRefusal(client.searchSha({ searchValue: none }), 404, `No matches for '${none}'.`);
  });

  it("accepts a start of five characters", async () => {
    const built = await delivered();
    const { body } = await client.searchSha({ searchValue: built.fingerprint.slice(0, 5) });
    expect(body.resolvedTo?.fingerprints?.matches).toContain(built.fingerprint);
  });

  it("shows where an artifact runs and ran, and reports of unknown artifacts", async () => {
    const built = await delivered();
    const [running, left, stray] = [await environment(), await environment(), someFingerprint()];
    await report(running, [built.fingerprint, stray]);
    await report(left, [built.fingerprint]);
    await report(left, []);
    const found = async (searchValue: string) => (await client.searchSha({ searchValue })).body.artifacts;
    expect(await found(built.fingerprint)).toMatchObject([{ runningIn: [running], exitedFrom: [left] }]);
    expect(await found(stray)).toMatchObject([
      { fingerprint: stray, hasProvenance: false, runningIn: [running], exitedFrom: [] },
    ]);
  });
});

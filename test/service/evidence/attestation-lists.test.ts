import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as lists from "../../../src/service/evidence/attestations/list.ts";
import * as stored from "../../../src/service/evidence/attestations/stored.ts";
import { PatternAnswers } from "../../../src/service/judging/patterns/pattern-answers.ts";
import { attestations } from "../attestation-requests.ts";
import { planOf } from "../query-plan.ts";
import { type Answered, COMMIT, FP, pipeline, send } from "../requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../running-service.ts";

const START = 1_800_000_000;
const ids = ({ body }: Answered): string[] =>
  (body.data ?? body).map((record: { attestation_id: string }) => record.attestation_id);
const names = ({ body }: Answered): string[] =>
  (body.data ?? body).map((record: { description: string }) => record.description);

/** Twelve records, ten seconds apart: flows `web` and `api`, names `unit`, `lint` and `unit-slow`, two outcomes. */
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  const { attest } = attestations(service);
  for (let count = 0; count < 12; count++) {
    service.clock.time = START + count * 10 + 0.5;
    const form = {
      attestation_name: ["unit", "lint", "unit-slow"][count % 3],
      description: String(count),
      git_commit_info: { sha1: (count % 2 === 0 ? "a" : "b").repeat(40) },
    };
    const [flow, trail] = [count < 8 ? "web" : "api", `t${count % 2}`];
    if (count === 11) {
      await attest("junit", flow, { ...form, junit_results: [] }, { trail });
    } else await attest("generic", flow, { ...form, is_compliant: count % 4 !== 0 }, { trail });
  }
  service.clock.time += 1;
});
afterAll(() => service.dispose());
const requests = () => attestations(service);

describe("the attestations of an organization", () => {
  it.each([
    ["", ["11", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1", "0"]],
    ["?name=lint", ["10", "7", "4", "1"]],
    ["?name_regex=^unit", ["11", "9", "8", "6", "5", "3", "2", "0"]],
    ["?name_regex=%5Elint%7Cslow", ["11", "10", "8", "7", "5", "4", "2", "1"]],
    ["?flow=api", ["11", "10", "9", "8"]],
    ["?flow=api&flow=web&name=unit", ["9", "6", "3", "0"]],
    ["?flow=nowhere", []],
    ["?type=junit", ["11"]],
    ["?type=junit&type=generic&flow=api", ["11", "10", "9", "8"]],
    ["?is_compliant=false", ["11", "8", "4", "0"]],
    ["?is_compliant=true&name=lint", ["10", "7", "1"]],
    [`?from_timestamp=${START + 90}`, ["11", "10", "9"]],
    [`?to_timestamp=${START + 20}`, ["1", "0"]],
    [`?from_timestamp=${START + 20}&to_timestamp=${START + 60}&name=lint`, ["4"]],
    ["?name=never", []],
    ["?unknown=1&name=never", []],
  ])("%s are %j", async (query, expected) => {
    const answer = await requests().list(query);
    expect([answer.status, names(answer)]).toEqual([200, expected]);
    expect(answer.body.pagination).toBeNull();
    expect(answer.body._links.next).toBeUndefined();
  });

  it.each([
    ["", 5],
    ["&name_regex=unit", 3],
    ["&is_compliant=true&flow=web", 2],
  ])("are returned page by page, each once: %s, %d at a time", async (query, perPage) => {
    const whole = names(await requests().list(`?per_page=100${query}`));
    const paged: string[] = [];
    let next = `?per_page=${perPage}${query}`;
    for (;;) {
      const answer = await requests().list(next);
      expect(answer.body.data.length).toBeLessThanOrEqual(perPage);
      paged.push(...names(answer));
      const { href } = answer.body._links.next ?? {};
      if (href === undefined) break;
      next = new URL(href).search;
      expect(new URLSearchParams(next).get("after")).toBe(answer.body._links.next.after);
    }
    expect(paged).toEqual(whole);
  });

  it("include a new record after the last page without showing any twice", async () => {
    const first = await requests().list("?per_page=2&name=lint");
    service.clock.time += 10;
    await pipeline(service).attest("late", "t1", { attestation_name: "lint", description: "late" });
    const second = await requests().list(`?per_page=2&name=lint&after=${first.body._links.next.after}`);
    expect([names(first), names(second)]).toEqual([
      ["10", "7"],
      ["4", "1"],
    ]);
  });

  it("recorded at the same moment are in the order of recording", async () => {
    const { attest } = pipeline(service);
    for (const description of ["1", "2", "3"]) {
      await attest("moment", "t1", { description, attestation_name: `n${description}` });
    }
    const first = await requests().list("?flow=moment&per_page=1");
    const second = await requests().list(`?flow=moment&per_page=1&after=${first.body._links.next.after}`);
    const third = await requests().list(`?flow=moment&per_page=1&after=${second.body._links.next.after}`);
    expect([first, second, third].flatMap(names)).toEqual(["3", "2", "1"]);
  });

  it("with an id contain only that one, or none", async () => {
    const [id = ""] = ids(await requests().list("?name=lint&per_page=1"));
    expect((await requests().list(`?attestation_id=${id}`)).body).toEqual({
      data: [expect.objectContaining({ attestation_id: id, flow_name: expect.any(String) })],
    });
    expect((await requests().list("?attestation_id=unknown")).body).toEqual({ data: [] });
  });

  it("belong to one organization only", async () => {
    const [id = ""] = ids(await requests().list("?per_page=1"));
    for (const query of ["", `?attestation_id=${id}`, "?name=lint"]) {
      const answer = await send(service, {
        path: `/attestations/${OTHER_ORG}${query}`,
        key: service.keys.stranger,
      });
      expect(answer.body.data).toEqual([]);
    }
  });

  it.each([
    ["?per_page=0", { "query.per_page": "Input should be greater than or equal to 1 [input: 0]" }],
    ["?per_page=101", { "query.per_page": "Input should be less than or equal to 100 [input: 101]" }],
    [
      "?is_compliant=maybe",
      { "query.is_compliant": "Input should be a valid boolean, unable to interpret input [input: maybe]" },
    ],
    ["?name=a&name_regex=b", { "query.name_regex": "Only one of name and name_regex may be given" }],
    [
      "?name_regex=(",
      {
        "query.name_regex":
          "Input should be a valid regular expression: the pattern '(' is not valid: missing closing ): `(`",
      },
    ],
    ["?after=odd", { "query.after": "Input should be _links.next.after of an earlier response" }],
    ["?from_timestamp=1.5", { "query.from_timestamp": expect.stringContaining("valid integer") }],
  ])("%s is refused", async (query, errors) => {
    const { status, body } = await requests().list(query);
    expect([status, body.errors]).toEqual([400, errors]);
  });
});

describe("the attestations of a flow", () => {
  it.each([
    ["", ["7", "6", "5", "4", "3", "2", "1", "0"], { total: 8, page: 1, per_page: 20, page_count: 1 }],
    ["?per_page=3", ["7", "6", "5"], { total: 8, page: 1, per_page: 3, page_count: 3 }],
    ["?per_page=3&page=3", ["1", "0"], { total: 8, page: 3, per_page: 3, page_count: 3 }],
    ["?per_page=3&page=4", [], { total: 8, page: 4, per_page: 3, page_count: 3 }],
    [
      `?from_timestamp=${START + 10}&to_timestamp=${START + 40}`,
      ["3", "2", "1"],
      { total: 3, page: 1, per_page: 20, page_count: 1 },
    ],
  ])("%s", async (query, expected, pagination) => {
    const answer = await requests().ofFlow("web", query);
    expect([answer.status, names(answer), answer.body.pagination]).toEqual([200, expected, pagination]);
  });
});

describe("the attestations of a trail", () => {
  it("are those of a name about the trail, newest first", async () => {
    expect(names(await requests().ofTrail("web", "lint", "t1"))).toEqual(["7", "1"]);
    expect(await requests().ofTrail("web", "never", "t1")).toMatchObject({ status: 200, body: [] });
  });

  it("are not those about its artifacts", async () => {
    const { artifact, attest } = pipeline(service);
    await artifact("mixed", "t1");
    await attest("mixed", "t1", { artifact_fingerprint: FP });
    await attest("mixed", "t1", { target_artifacts: ["web"], git_commit_info: { sha1: COMMIT } });
    await attest("mixed", "t1", { description: "trail" });
    expect(names(await requests().ofTrail("mixed"))).toEqual(["trail"]);
  });

  it("may have the name of a kind", async () => {
    await pipeline(service).attest("kinds", "t1", { attestation_name: "junit" });
    expect((await requests().ofTrail("kinds", "junit")).body).toHaveLength(1);
  });
});

describe("the attestations for commits", () => {
  const [a, b, c] = ["a", "b", "c"].map((digit) => digit.repeat(40)) as [string, string, string];

  it.each<[string, Record<string, string[]>]>([
    [`?commit_list=${a}&attestation_name=lint`, { [a]: ["10", "4"] }],
    [
      `?commit_list=${b}&commit_list=${a}&commit_list=${c}&flow_name=api`,
      { [b]: ["11", "9"], [a]: ["10", "8"], [c]: expect.any(Array) },
    ],
    [`?commit_list=${b}&attestation_type=junit`, { [b]: ["11"] }],
    [`?commit_list=${a}&flow_name=nowhere&attestation_id=ignored`, { [a]: [] }],
  ])("%s", async (query, expected) => {
    const { status, body } = await requests().forCriteria(query);
    const found = Object.entries<{ description: string }[]>(body).map(([commit, records]) => [
      commit,
      records.map(({ description }) => description),
    ]);
    expect([status, Object.fromEntries(found)]).toEqual([200, expected]);
  });
});

describe("finding attestations", () => {
  const first = { createdAt: START, sequence: 1 };
  it.each<[string, Parameters<typeof planOf>[1]]>([
    ["all of an organization", (db) => lists.newestAttestations(db, "o", { after: first, from: 1 }, 20)],
    [
      "those that match a filter",
      (db) => {
        const answers = new PatternAnswers();
        answers.add({ pattern: "x", texts: new Set() }, []);
        const namePattern = { pattern: "x", answers };
        return lists.newestAttestations(db, "o", { namePattern, flows: ["f"], types: ["x"] }, 20);
      },
    ],
    ["a page of a flow", (db) => lists.pageOfFlow(db, "f", { limit: 5, offset: 0, from: 1, to: 2 })],
    ["those for commits", (db) => lists.attestationsOfCommits(db, "o", { commits: ["a", "b"], flowId: "f" })],
    [
      "those of an artifact",
      (db) => stored.attestationsOfArtifact(db, { flowId: "f", fingerprint: FP, name: "n" }),
    ],
    ["those of a trail", (db) => stored.attestationsOfTrail(db, { trailId: "t", name: "n" })],
    ["one by its id", (db) => stored.findAttestation(db, "o", "id")],
  ])("%s scans no table", async (_, ask) => {
    const plan = await planOf(service.dataFolder, ask);
    expect(plan.length).toBeGreaterThan(0);
    expect(plan.filter((step) => /^SCAN (?!place|\d+ CONSTANT)/.test(step))).toEqual([]);
  });

  it("reads the newest of each series from the index, without sorting a series", async () => {
    const plan = await planOf(service.dataFolder, async (db) => {
      const { id } = await db
        .selectFrom("organizations")
        .select("id")
        .where("name", "=", ORG)
        .executeTakeFirstOrThrow();
      await lists.newestAttestations(
        db,
        id,
        { name: "unit", after: { createdAt: START + 100, sequence: 99 } },
        20,
      );
    });
    const ofSeries = plan.filter((step) => step.includes("series_id=?"));
    expect(new Set(ofSeries)).toEqual(
      new Set([
        "SEARCH attestations USING COVERING INDEX attestations_series_age (series_id=? AND created_at<?)",
      ]),
    );
    // Only the resulting page is sorted.
    expect(plan.filter((step) => step.includes("TEMP B-TREE"))).toHaveLength(1);
  });
});

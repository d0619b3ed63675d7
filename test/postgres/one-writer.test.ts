import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { verify } from "../../src/service/ops/verification/verify.ts";
import { openOwnFolder } from "../../src/service/store/blobs/open-place.ts";
import { openPostgres } from "../../src/service/store/postgres/open-store.ts";
import { LOCK_WRITES } from "../../src/service/store/postgres/write-queue.ts";
import { askPostgres, newDatabase } from "../records.ts";
import { type Answered, COMMIT, FP, type RequestToSend, send } from "../service/requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../service/running-service.ts";

let url: string;
let instances: readonly [TestService, TestService];
let sqlite: TestService;
beforeAll(async () => {
  url = await newDatabase();
  const first = await startTestService({}, { database: { url } });
  instances = [first, await startTestService({}, { database: { url }, keys: first.keys })];
  sqlite = await startTestService();
  const targets = [{ type: "WEBHOOK", webhook: "http://127.0.0.1:9/" }];
  const json = { name: "all", flows: [], targets, triggers: [] };
  for (const org of [ORG, OTHER_ORG]) await toOrg(first, org, "PUT", `/actions/${org}/flows`, { json });
});
afterAll(async () => {
  for (const service of [...instances, sqlite]) await service.dispose();
});

type Content = Omit<RequestToSend, "method" | "path">;
function toOrg(service: TestService, org: string, method: string, path: string, more: Content = {}) {
  return send(service, { key: service.keys[org === ORG ? "admin" : "stranger"], method, path, ...more });
}

const template = (more = "") => [
  {
    part: "template_file",
    name: "template.yml",
    content: `version: 1\ntrail:\n  attestations: [{name: unit, type: generic}, {name: lint, type: generic}]\n${more}`,
  },
];
const OTHER_TEMPLATE = template("  artifacts: [{name: app, attestations: [{name: unit, type: generic}]}]\n");

/** Ways to name repositories whose number and ids, as opposed to names, do not depend on the order of the requests. */
const repoIn = (run: string) =>
  fc
    .constantFrom<[string, string?]>(["one"], ["one", "1"], ["one", "2"], ["new", "3"], ["old", "3"])
    .map(([name, id]) => ({
      name: `${name}-${run}`,
      url: "https://github.com/acme/x",
      ...(id && { id: `${run}-${id}` }),
    }));

/** Requests to few trails. Their content is their description. Those that begin nothing can run at the same time. */
function requestIn(round: string, flows: readonly string[], repo: fc.Arbitrary<object | undefined>) {
  const kinds = ["attest", "attest", "attest", "report", "override", "update"] as const;
  const identity = {
    kind: fc.constantFrom(...kinds),
    org: fc.constantFrom(ORG, ORG, ORG, OTHER_ORG),
    flow: fc.constantFrom(...flows),
    trail: fc.constantFrom("t1", "t2", "t3"),
    name: fc.constantFrom("unit", "lint"),
    is: fc.boolean(),
    repo,
  };
  const key = fc.constantFrom(undefined, undefined, `${round} 1`, `${round} 2`);
  const request = fc.record(identity).map(({ kind, org, flow, trail, name, is, repo: repo_info }) => {
    const description = JSON.stringify([kind, org, flow, trail, name, is, repo_info]);
    const about = { description, attestation_name: name, repo_info };
    const override = { reason: "risk", new_compliance_status: is, original_attestation_type: "generic" };
    const run = { build_url: "https://ci.example/1", commit_url: "https://ci.example/1", git_commit: COMMIT };
    const artifact = {
      fingerprint: FP,
      filename: name,
      template_reference_name: is ? "app" : "other",
      trail_name: trail,
    };
    const path = `/attestations/${org}/${flow}/trail/${trail}`;
    const sent = {
      attest: ["POST", `${path}/generic`, { form: { ...about, is_compliant: is } }],
      override: ["POST", `${path}/override`, { json: { ...about, ...override } }],
      report: [
        "POST",
        `/artifacts/${org}/${flow}`,
        { json: { description, repo_info, ...artifact, ...run } },
      ],
      update: [
        "PUT",
        `/trails/${org}/${flow}`,
        { form: { name: trail, description, repo_info }, files: is ? OTHER_TEMPLATE : [] },
      ],
    } as const satisfies Record<string, readonly [string, string, Content]>;
    return { description, kind, org, sent: sent[kind] };
  });
  return fc.record({ request, key, at: fc.constantFrom(0, 1) });
}

const some = (round: string, flows: readonly string[], repo: fc.Arbitrary<object | undefined>) =>
  fc.array(requestIn(round, flows, repo), { minLength: 12, maxLength: 30 });
const rounds = fc.tuple(
  some("RUN-a", ["known-RUN", "begun-RUN"], fc.option(repoIn("RUN-a"), { nil: undefined })),
  some("RUN-b", ["known-RUN"], fc.constant(undefined)),
  some("RUN-c", ["known-RUN"], repoIn("RUN-c")),
);
type Rounds = fc.RecordValue<{ rounds: typeof rounds }>["rounds"];

/** Sends all while another transaction has the lock, so that they wait together. */
async function sendTogether(requests: Rounds[number]) {
  const lock = new pg.Client(url);
  await lock.connect();
  await lock.query(`begin; ${LOCK_WRITES}`);
  const answers = requests.map(async ({ request, key, at }) => {
    const { org, sent } = request;
    const [method, path, content] = sent;
    const headers = key === undefined ? {} : { "idempotency-key": key };
    return {
      ...request,
      key,
      answer: await toOrg(instances[at], org, method, path, { ...content, headers }),
    };
  });
  await delay(60);
  await lock.end();
  return Promise.all(answers);
}

const shown = ({ status, headers }: Answered) =>
  ["x-compliant", "x-template-match", "x-flow-created"].reduce(
    (all, name) => `${all} ${headers[name]}`,
    `${status}`,
  );
const isRecorded = ({ status, headers }: Answered) =>
  status < 300 && headers["idempotent-replayed"] === undefined;

/** The descriptions of recorded requests, in order. */
async function recordedIn(run: string): Promise<string[]> {
  const rows = await askPostgres(
    url,
    `select coalesce(a.details, r.details, e.data)::json ->> 'description' as description from events e
     left join attestations a on a.id = e.subject_id left join artifacts r on r.id = e.subject_id
     where e.type in ('attestation.recorded', 'attestation.overridden', 'artifact.reported', 'trail.begun', 'trail.updated')
     order by e.sequence`,
  );
  return rows.flatMap(({ description }) =>
    String(description).includes(`-${run}"`) ? String(description) : [],
  );
}

/** All trails and the number of repositories, without ids, and without names of repositories, which depend on the order. */
async function recordsOf(service: TestService, run: string): Promise<string[]> {
  const texts: string[] = [];
  for (const org of [ORG, OTHER_ORG]) {
    for (const flow of ["known", "begun"]) {
      for (const trail of ["t1", "t2", "t3"])
        texts.push((await toOrg(service, org, "GET", `/trails/${org}/${flow}-${run}/${trail}`)).text);
    }
    const { body } = await toOrg(service, org, "GET", `/repos/${org}?per_page=100`);
    const repos: { repo_id: string | null; name: string }[] = body._embedded.repos;
    texts.push(
      `${repos
        .map(({ repo_id }) => repo_id)
        .filter((id) => id === null || id.startsWith(`${run}-`))
        .sort()}`,
    );
  }
  return texts.map((text) =>
    text
      .replaceAll(service.address, "")
      .replaceAll(/"repo_ids":\[[^\]]*\]/g, "")
      .replaceAll(/[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{8}/g, "id"),
  );
}

let runs = 0;
it("requests at the same time leave the records of one writer, and get its answers", async () => {
  const property = fc.asyncProperty(rounds, async (generated) => {
    const run = `${++runs}`;
    const given: Rounds = JSON.parse(JSON.stringify(generated).replaceAll("RUN", run));
    for (const org of [ORG, OTHER_ORG]) {
      const flow = { form: { name: `known-${run}`, description: "" }, files: template() };
      for (const service of [instances[0], sqlite])
        await toOrg(service, org, "PUT", `/flows/${org}/template_file`, flow);
    }
    const answers = [];
    for (const round of given) answers.push(...(await sendTogether(round)));
    const byContent = Map.groupBy(answers, ({ description }) => description);

    // One writer records the same requests in their order, each of them and no other.
    const expected = [];
    for (const description of await recordedIn(run)) {
      const { org = "", sent } = byContent.get(description)?.[0] ?? {};
      if (!sent) throw new Error(`Not sent: ${description}`);
      const answer = await toOrg(sqlite, org, ...sent);
      expect(isRecorded(answer), `${description}: ${answer.status} ${answer.text}`).toBe(true);
      expected.push(`${description} ${shown(answer)}`);
    }
    const recorded = answers.filter(({ answer }) => isRecorded(answer));
    expect(recorded.map(({ description, answer }) => `${description} ${shown(answer)}`).sort()).toEqual(
      expected.sort(),
    );
    expect(await recordsOf(instances[1], run)).toEqual(await recordsOf(sqlite, run));

    for (const { description, org, kind, key, answer } of answers.filter(
      ({ answer }) => !isRecorded(answer),
    )) {
      const ofKey = answers.filter(
        (other) =>
          key !== undefined &&
          other.kind !== "update" &&
          other.org === org &&
          other.key === key &&
          other.answer.status < 300,
      );
      const first =
        answer.status === 422
          ? ofKey.filter((other) => other.description !== description)
          : recorded.filter(
              (other) => other.description === description && shown(other.answer) === shown(answer),
            );
      if (kind !== "override" || answer.status !== 404)
        expect([description, answer.status, first.length > 0]).toEqual([description, answer.status, true]);
    }
    for (const [key, same] of Map.groupBy(
      answers,
      ({ org, key, kind }) => key && kind !== "update" && `${org} ${key}`,
    )) {
      if (!key) continue;
      const taken = same.filter(({ answer }) => answer.status < 300);
      expect(new Set(taken.map(({ description }) => description)).size, key).toBeLessThanOrEqual(1);
    }
  });
  await fc.assert(property, { numRuns: 12, endOnFailure: true });

  const store = await openPostgres({ url });
  const place = await openOwnFolder(sqlite.dataFolder, false);
  const found: string[] = [];
  await verify({ records: store, place }, { onProgress() {}, differs: (line) => found.push(line) });
  await Promise.all([store.close(), place.close()]);
  expect(found).toEqual([]);
  expect(
    await askPostgres(
      url,
      `select org_id from notification_events group by org_id having count(*) <> max(number)`,
    ),
  ).toEqual([]);
});

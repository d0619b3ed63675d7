import { gunzipSync } from "node:zlib";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OperationShape } from "../../../../src/api/operation.ts";
import { operations } from "../../../../src/api/resources/operations.ts";
import { OPA } from "../../../go-programs.ts";
import { knownIssuer } from "../../../identity/known-issuer.ts";
import { crawl } from "../../pages/crawl.ts";
import { signedIn } from "../../pages/visitor.ts";
import {
  type Answered,
  COMMIT,
  FP,
  pipeline,
  type RequestToSend,
  sampleRequest,
  send,
} from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";
import { IN_ORDER, succeedingRequests } from "../../succeeding-requests.ts";

/** Part of every name and text outside the scope of the key. */
const MARK = "zz-outside";
/** An artifact of both flows, and one of the other flow only. */
const BOTH = "b".repeat(64);
const OTHER = "d".repeat(64);
const OTHER_COMMIT = "e".repeat(40);
const RUNNING_ONLY = "f".repeat(64);

describe("the pages of a key for one flow and one environment", () => {
  let service: TestService;
  let key: string;
  beforeAll(async () => {
    ({ service, key } = await filled("key"));
  });
  afterAll(() => service.dispose());

  test("all exist when a link leads to them, and show nothing outside", async () => {
    const pages = await crawl(await signedIn(service, key), "/");
    const missing = pages.filter(({ status }) => ![200, 302, 303].includes(status));
    expect(missing.map(({ path, from, status }) => `${status} ${path} (from ${from})`)).toEqual([]);
    expect(pages.length).toBeGreaterThan(20);
    expect(pages.filter(({ text }) => text.includes(MARK)).map(({ path }) => path)).toEqual([]);
  });

  test("find nothing outside", async () => {
    const visitor = await signedIn(service, key);
    for (const word of [OTHER, RUNNING_ONLY, FP, BOTH, "sample", "zz"]) {
      const { status, text, headers } = await visitor.get(`/${ORG}/search?q=${word}`);
      expect([200, 303]).toContain(status);
      expect(JSON.stringify([text, headers])).not.toContain(MARK);
    }
  });
});

const every: readonly OperationShape[] = Object.values(operations).filter(
  ({ access }) => access !== "public",
);
const FORBIDDEN = { status: 403, message: "You don't have permission to access this resource" };

interface Filled {
  service: TestService;
  /** An account with all rights of its role, limited to these names. */
  key: string;
  succeeding: (operation: OperationShape) => RequestToSend;
}

/** A service with the records of the samples, and as many outside the scope that must remain hidden. */
async function filled(principal: "key" | "workflow"): Promise<Filled> {
  const service = await startTestService({}, { opa: OPA });
  const { admin } = service.keys;
  const succeeding = await succeedingRequests(service);
  await fillOutside(service);
  const { body: environments } = await send(service, { path: `/environments/${ORG}`, key: admin });
  const names: string[] = environments.map(({ name }: { name: string }) => name);
  const scope = {
    flows: ["sample", "was-inside", "is-inside"],
    environments: names.filter((name) => !name.startsWith(MARK) && !["logical", "to-rename"].includes(name)),
  };
  return { service, succeeding, key: await keyFor(service, principal, scope) };
}

async function keyFor(service: TestService, principal: "key" | "workflow", scope: object): Promise<string> {
  const ask = async (path: string, json: object) => {
    const answer = await send(service, { method: "POST", path, json, key: service.keys.admin });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  if (principal === "key") {
    await ask(`/service-accounts/${ORG}`, { name: "scoped", privilege: "admin" });
    return (await ask(`/service-accounts/${ORG}/scoped/api-keys`, { description: "scoped", ...scope })).key;
  }
  const issuer = knownIssuer();
  const trusted = { issuer: issuer.options.url, repository: "acme/web", role: "member" };
  await ask(`/trust-policies/${ORG}`, { name: "scoped", ...trusted, ...scope });
  const token = issuer.token(`${service.address}/${ORG}`);
  return (await ask("/oidc/token", { token, org: ORG, policy: "scoped" })).access_token;
}

async function fillOutside(service: TestService): Promise<void> {
  const { admin } = service.keys;
  const make = pipeline(service, admin);
  const done = async (answers: readonly Promise<Answered>[]) => {
    for (const { status, text } of await Promise.all(answers)) expect(status, text).toBeLessThan(300);
  };
  const flow = `${MARK}-flow`;
  const environment = `${MARK}-env`;
  const rename = (from: string, to: string) =>
    send(service, {
      method: "PUT",
      path: `/flows/${ORG}/${from}/rename`,
      json: { new_name: to },
      key: admin,
    });
  await done([make.environment("sample-logical", { type: "logical" })]);
  await done([
    make.flow(flow),
    make.flow("was-inside"),
    make.flow(`${MARK}-before`),
    make.environment(environment),
  ]);
  await done([rename("was-inside", `${MARK}-after`), rename(`${MARK}-before`, "is-inside")]);
  await done([make.trail(flow, MARK, { description: MARK }), make.trail(`${MARK}-after`, MARK)]);
  const repo = { name: `acme/${MARK}`, url: `https://github.com/acme/${MARK}` };
  const build = { build_url: `https://ci.example/${MARK}`, repo_info: repo, template_reference_name: MARK };
  const commit = { git_commit: OTHER_COMMIT, ...build };
  await done([make.artifact(flow, MARK, { fingerprint: OTHER, filename: MARK, ...commit })]);
  await done([make.artifact("sample", "sample", { fingerprint: BOTH, filename: "both" })]);
  await done([make.artifact(flow, MARK, { fingerprint: BOTH, filename: MARK, ...build })]);
  const failed = { attestation_name: MARK, is_compliant: false, description: MARK };
  await done([make.attest(flow, MARK, { ...failed, artifact_fingerprint: BOTH })]);
  await done([make.attest(flow, MARK, { ...failed, git_commit_info: { sha1: COMMIT } })]);
  const pod = { podName: MARK, namespace: MARK, creationTimestamp: 1_799_999_000 };
  const digests = {
    [`${MARK}:1`]: FP,
    [`${MARK}:2`]: OTHER,
    [`${MARK}:3`]: BOTH,
    [`${MARK}:4`]: RUNNING_ONLY,
  };
  await done([make.report(environment, [{ ...pod, digests }])]);
  // One of each has stopped running.
  await done([make.report(environment, [{ ...pod, digests: { [`${MARK}:1`]: FP } }])]);
  await done([make.report(environment, [{ ...pod, digests }])]);
  const allowance = { artifact_name: MARK, artifact_fingerprint: FP, description: MARK };
  const approval = { artifact_fingerprint: FP, description: MARK, src_commit_list: [COMMIT], environment };
  await done([
    send(service, { method: "PUT", path: `/allowlists/${ORG}/${environment}`, json: allowance, key: admin }),
    send(service, { method: "POST", path: `/approvals/${ORG}/sample`, json: approval, key: admin }),
    make.control({ identifier: MARK, name: MARK }),
    make.policy(MARK, `_schema: https://example.org/v1\n# ${MARK}`),
  ]);
}

/** The request with other names in the path. */
function renamed(operation: OperationShape, message: RequestToSend, flow: string, environment: string) {
  const [path = "", query] = message.path.split("?");
  const steps = operation.path.split("/");
  const other = path.split("/").map((step, place) => {
    if (steps[place] === "{flow_name}") return flow;
    return steps[place] === "{env_name}" ? environment : step;
  });
  return { ...message, path: [other.join("/"), ...(query === undefined ? [] : [query])].join("?") };
}

function expectNothingOutside({ text, headers }: Answered): void {
  expect(text).not.toContain(MARK);
  expect(JSON.stringify(headers)).not.toContain(MARK);
}

function expectForbidden(answer: Answered): void {
  expect({ status: answer.status, message: answer.body?.message }, answer.text).toEqual(FORBIDDEN);
  expectNothingOutside(answer);
}

/** The request fields that an operation declares to name flows and environments. */
function namingFields({ reach }: OperationShape): string[] {
  return typeof reach === "string" ? [] : Object.values(reach).flatMap((fields) => Object.values(fields));
}

test("every request field that could name a flow or an environment is declared as such", () => {
  // These only narrow the visible records: flows and environments of the scope, and events of an environment in it.
  const narrowing = ["env_tag", "flow_tag", "flow_names"];
  const undeclared = every
    .filter(({ reach }) => reach !== "never")
    .flatMap((operation) =>
      [operation.params, operation.query, operation.body?.schema]
        .flatMap((schema) => Object.keys(Object(schema?._zod.def)["shape"] ?? {}))
        .filter((field) => /flow|env/i.test(field))
        .filter((field) => ![...narrowing, ...namingFields(operation)].includes(field))
        .map((field) => `${operation.name}: ${field}`),
    );
  expect(undeclared).toEqual([]);
});

describe.each(["key", "workflow"] as const)("a %s for one flow and one environment", (principal) => {
  let service: TestService;
  let key: string;
  let succeeding: Filled["succeeding"];
  beforeAll(async () => {
    ({ service, key, succeeding } = await filled(principal));
  });
  afterAll(() => service.dispose());
  const get = (path: string) => send(service, { path, key });

  test.each(every)("$name is refused outside of its names, whether they exist or not", async (operation) => {
    const message = { ...sampleRequest(operation), ...succeeding(operation), key };
    const { reach } = operation;
    if (reach === "never") expectForbidden(await send(service, message));
    if (typeof reach === "string") return;
    if ("made" in reach) {
      const part = message.json === undefined ? "form" : "json";
      const named = { ...message, [part]: { ...Object(message[part]), name: `${MARK}-new` } };
      expectForbidden(await send(service, named));
    }
    if (!("inside" in reach)) return;
    for (const [flow, environment] of [
      [`${MARK}-flow`, `${MARK}-env`],
      ["nowhere", "nowhere"],
      // The inner records were renamed, and the outer ones took their names.
      [`${MARK}-before`, `${MARK}-env`],
      ["was-inside", `${MARK}-env`],
    ] as const) {
      expectForbidden(await send(service, renamed(operation, message, flow, environment)));
    }
  });

  test.each([
    `/artifacts/${ORG}?flow_name=`,
    `/trails/${ORG}?flow=`,
    `/attestations/${ORG}?flow=sample&flow=`,
    `/attestations/${ORG}/list_attestations_for_criteria?commit_list=${COMMIT}&flow_name=`,
    `/asserts/${ORG}/fingerprint/${FP}?flow_name=`,
  ])("%s is refused for a flow outside", async (path) => {
    for (const flow of [`${MARK}-flow`, "nowhere", "was-inside", `${MARK}-before`]) {
      expectForbidden(await get(path + flow));
    }
  });

  test("a name in a body is refused like one in a path", async () => {
    const json = { artifact_fingerprint: FP, description: "", src_commit_list: [COMMIT] };
    const member = { included_environments: [`${MARK}-env`] };
    const requests: RequestToSend[] = [
      { method: "POST", path: `/approvals/${ORG}/sample`, json: { ...json, environment: `${MARK}-env` } },
      { method: "PATCH", path: `/environments/${ORG}/sample`, json: member },
      {
        method: "PUT",
        path: `/environments/${ORG}`,
        json: { name: "sample", type: "logical", description: "", ...member },
      },
    ];
    for (const each of requests) expectForbidden(await send(service, { ...each, key }));
    for (const environment of [`${MARK}-env`, "nowhere"]) {
      expectForbidden(await get(`/asserts/${ORG}/fingerprint/${FP}?environment_name=${environment}`));
    }
  });

  test("the requirements of an environment are not changed by any request", async () => {
    const owner = pipeline(service, service.keys.admin);
    const required = `_schema: https://x/v1\nartifacts: {provenance: {required: true}}\n`;
    expect((await owner.policy("required", required)).status).toBeLessThan(300);
    const guarded = { policies: ["required"], require_provenance: true };
    const path = `/environments/${ORG}`;
    const put = (more: object, by = key) => {
      const json = { name: "sample-K8S", type: "K8S", description: "", ...more };
      return send(service, { method: "PUT", path, json, key: by });
    };
    const patch = (json: object, env = "sample-K8S", by = key) =>
      send(service, { method: "PATCH", path: `${path}/${env}`, json, key: by });
    const state = async () => {
      const logged = await send(service, { path: `/audit-log/${ORG}`, key: service.keys.auditor });
      return [(await get(`${path}/sample-K8S`)).body.policies, logged.body.pagination];
    };
    expect((await put(guarded, service.keys.member)).status).toBe(201);
    const before = await state();
    const other = { included_environments: ["sample-K8S"] };
    for (const refused of [
      await put({ policies: [] }),
      await patch({ policies: [] }),
      await patch({ policies: ["required", "sample"] }),
      await put({ require_provenance: false }),
      await patch(other, "sample-logical"),
      await put({ name: "sample-logical", type: "logical", ...other }),
    ]) {
      expect(refused.status, refused.text).toBe(403);
    }
    expect(await state()).toEqual(before);
    // Unchanged fields may be repeated.
    expect((await put({ ...guarded, description: "reported by CI" })).status).toBe(201);
    expect((await patch({ policies: ["required"], description: "" })).status).toBe(200);
    const none = { policies: [], require_provenance: false };
    expect((await put(none, service.keys.member)).status).toBe(201);
  });

  test("lists, their totals and their pages contain only records inside the scope", async () => {
    const flows = await get(`/flows/${ORG}?page=1&per_page=1`);
    expect(flows.body.pagination).toMatchObject({ total: 2 });
    const trails = await get(`/trails/${ORG}?per_page=1`);
    expect(trails.body.pagination).toMatchObject({ total: 1 });
    const environments = await get(`/environments/${ORG}?page=1&per_page=1`);
    const all = await send(service, {
      path: `/environments/${ORG}?page=1&per_page=1`,
      key: service.keys.admin,
    });
    expect(environments.body.total_pages).toBe(all.body.total_pages - 3);
    const artifacts = await get(`/artifacts/${ORG}?per_page=1&page=2`);
    expect(artifacts.body).toHaveLength(1);
    const attestations = await get(`/attestations/${ORG}?per_page=100`);
    expect(attestations.body.data.length).toBeGreaterThan(1);
    const byName = await get(`/attestations/${ORG}?name=${MARK}`);
    const allowed = await get(`/allowlists/${ORG}`);
    expect(allowed.body).toHaveLength(1);
    const ofRepo = await get(`/artifacts/${ORG}?repo_name=${encodeURIComponent("acme/nothing")}`);
    const ofOther = await get(`/artifacts/${ORG}?repo_name=${encodeURIComponent(`acme/${MARK}`)}`);
    expect([ofRepo.status, ofOther.status]).toEqual([404, 404]);
    for (const answer of [flows, trails, environments, artifacts, attestations, allowed])
      expectNothingOutside(answer);
    expect(byName.body.data).toEqual([]);
  });

  test("a search finds only records inside the scope, and reveals no others", async () => {
    for (const sha of [OTHER, OTHER_COMMIT, RUNNING_ONLY]) {
      expect((await get(`/search/${ORG}/sha/${sha}`)).body).toEqual({
        code: "search.no_match",
        message: `No matches for '${sha}'.`,
      });
    }
    for (const sha of [FP, BOTH, COMMIT]) {
      const found = await get(`/search/${ORG}/sha/${sha}`);
      expect(found.body.artifacts.length).toBeGreaterThan(0);
      expectNothingOutside(found);
    }
  });

  test("an attestation of another flow is not found by its id", async () => {
    const query = `/attestations/${ORG}?name=${MARK}`;
    const [{ attestation_id: id }] = (await send(service, { path: query, key: service.keys.admin })).body
      .data;
    expect((await get(`/attestations/${ORG}?attestation_id=${id}`)).body.data).toEqual([]);
  });

  test("a result is complete, and names nothing outside", async () => {
    expect((await get(`/asserts/${ORG}/fingerprint/${OTHER}`)).status).toBe(404);
    for (const query of ["", "?environment_name=sample"]) {
      const path = `/asserts/${ORG}/fingerprint/${BOTH}${query}`;
      const whole = await send(service, { path, key: service.keys.admin });
      const answer = await get(path);
      expect(answer.body).toMatchObject({ compliant: whole.body.compliant, flow: "sample" });
      expect(answer.body.flows.map(({ flow }: { flow: string }) => flow)).toEqual(["sample"]);
      expect(whole.body).toMatchObject({ compliant: false });
      expect(answer.body.flows[0].compliant).toBe(true);
      expectNothingOutside(answer);
    }
  });

  test("a decision about a control, which counts in every flow of the artifact, is not allowed with only some of them", async () => {
    await pipeline(service).control({ identifier: "both", name: "both" });
    const decide = (by: string) =>
      send(service, {
        method: "POST",
        path: `/attestations/${ORG}/sample/trail/sample/system`,
        form: {
          attestation_name: "decided",
          type_name: "decision",
          control: "both",
          attestation_data: { is_compliant: false },
        },
        key: by,
      });
    const override = (by: string) =>
      send(service, {
        method: "POST",
        path: `/attestations/${ORG}/sample/trail/sample/override`,
        json: {
          attestation_name: "decided",
          original_attestation_type: "system:decision",
          new_compliance_status: true,
          reason: "it is fine",
        },
        key: by,
      });
    expectForbidden(await decide(key));
    expect((await decide(service.keys.member)).status).toBe(201);
    expectForbidden(await override(key));
    expect((await override(service.keys.member)).status).toBe(200);
  });

  test.each(["sample", `sample/${FP}`])("a package of %s contains nothing outside", async (path) => {
    const steps = path.includes("/") ? `artifacts/${ORG}` : `trails/${ORG}/sample`;
    const packed = await request(`${service.address}/api/v2/${steps}/${path}/audit_package`, {
      dispatcher: service.dispatcher,
      headers: { authorization: `Bearer ${key}` },
    });
    const content = gunzipSync(Buffer.from(await packed.body.arrayBuffer())).toString();
    expect(content).toContain(FP);
    expect(content).not.toContain(MARK);
  });

  test("a policy's reasons in flows outside are shown without their names", async () => {
    const rules = "artifacts: { provenance: { required: true }, trail-compliance: { required: true } }";
    const schema = "_schema: https://kosli.com/schemas/policy/environment/v1";
    const make = pipeline(service, service.keys.admin);
    expect((await make.policy("strict", `${schema}\n${rules}`)).status).toBeLessThan(300);
    const path = `/asserts/${ORG}/fingerprint/${BOTH}?policy_name=strict`;
    const answer = await get(path);
    const [
      {
        status,
        rule_evaluations: [, { resolutions }],
      },
    ] = answer.body.policy_evaluations;
    expect(status).toBe("NON-COMPLIANT");
    expect(resolutions).toMatchObject([
      { type: "rule_satisfied", context: { flow_name: "sample" } },
      { type: "non_compliant_in_trail", context: { flow_name: null, trail_name: null } },
    ]);
    expectNothingOutside(answer);
    expect((await send(service, { path, key: service.keys.admin })).text).toContain(MARK);
  });

  test.each(IN_ORDER.filter(({ access }) => access !== "public"))(
    "$name works inside, and shows nothing outside",
    async (operation) => {
      if (operation.reach === "never") return;
      const answer = await send(service, { ...succeeding(operation), key });
      expectNothingOutside(answer);
      if (principal === "workflow" && operation.access === "administer") return expectForbidden(answer);
      expect([200, 201], answer.text).toContain(answer.status);
    },
  );
});

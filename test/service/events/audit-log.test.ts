import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { OperationShape } from "../../../src/api/operation.ts";
import type { Act } from "../../../src/api/resources/audit-log.ts";
import { type OperationName, operations } from "../../../src/api/resources/operations.ts";
import { databaseFile, openDataFolder } from "../../../src/service/store/sqlite/open-store.ts";
import { OPA } from "../../go-programs.ts";
import { knownIssuer } from "../../identity/known-issuer.ts";
import { FP, type RequestToSend, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { succeedingRequests } from "../succeeding-requests.ts";
import { eventFaults } from "./event-faults.ts";

type Operations = typeof operations;
/** The operations that may change something. */
type Changing = {
  [Name in OperationName]: Operations[Name]["method"] extends "GET" ? never : Name;
}[OperationName];

/** Why an operation that changes something is not audited. */
type Unaudited = "evidence" | "changes nothing";

interface Audited {
  readonly act: Act;
  /** The resource of the action, and further content of the entry. */
  readonly entry: object;
  /** Makes the request change something if the succeeding one does not. */
  readonly request?: Partial<RequestToSend>;
  /** Set if a repeated request changes something again. */
  readonly again?: true;
}

const SECRET = "https://hooks.slack.com/services/T000/B000/the-secret-part-a1b2";
const action = { targets: [{ type: "SLACK", webhook: SECRET }], triggers: [] };
const masked = [{ type: "SLACK", webhook: "hooks.slack.com/…a1b2" }];
const sha256 = expect.stringMatching(/^[a-f0-9]{64}$/);
const templateFile = {
  part: "template_file",
  name: "t.yml",
  content: "version: 1\ntrail: { attestations: [{ name: unit, type: generic }] }\n",
};

/** Every operation that may change something. A missing one does not compile. */
const OPERATIONS: { readonly [Name in Changing]: Audited | Unaudited } = {
  allowArtifact: {
    act: "artifact.allowed",
    request: { json: { artifact_name: "web", artifact_fingerprint: FP, description: "known" } },
    entry: {
      resource: { name: "web", id: FP },
      details: { environment: "sample" },
      changes: { description: { from: "", to: "known" } },
    },
  },
  archiveControl: {
    act: "control.archived",
    entry: { resource: { name: "sample" }, changes: { archived: { from: false, to: true } } },
  },
  archiveCustomAttestationType: {
    act: "custom_attestation_type.archived",
    entry: { resource: { name: "sample" } },
  },
  archiveDecisionPolicy: {
    act: "decision_policy.archived",
    entry: { resource: { name: "sample" }, changes: { archived: { from: false, to: true } } },
  },
  archiveEnvironment: {
    act: "environment.archived",
    entry: { resource: { name: "sample" }, changes: { archived: { from: false, to: true } } },
  },
  archiveFlow: { act: "flow.archived", entry: { resource: { name: "sample" } } },
  attachPolicies: {
    act: "environment.policies_changed",
    entry: { resource: { name: "sample" }, changes: { policies: { from: [], to: ["sample"] } } },
  },
  attestCustom: "evidence",
  attestGeneric: "evidence",
  attestJira: "evidence",
  attestJunit: "evidence",
  attestPullRequest: "evidence",
  attestSnyk: "evidence",
  attestSonar: "evidence",
  attestSystem: "evidence",
  beginTrail: {
    act: "trail.template_changed",
    request: { files: [templateFile] },
    entry: {
      resource: { name: "sample" },
      details: { flow: "sample" },
      changes: { template_sha256: { to: sha256 } },
    },
  },
  createApiKey: {
    act: "api_key.created",
    entry: { resource: { name: "sample" }, changes: { expires_at: { from: null, to: 0 } } },
    again: true,
  },
  createControl: {
    act: "control.created",
    entry: { resource: { name: "sample" }, changes: { version: { from: null, to: 1 } } },
  },
  createCustomAttestationType: {
    act: "custom_attestation_type.changed",
    entry: { resource: { name: "sample" }, changes: { version: { from: 1, to: 2 } } },
    again: true,
  },
  createEnvironment: {
    act: "environment.created",
    request: { json: { name: "new", type: "K8S", description: "", policies: ["sample"] } },
    entry: {
      resource: { name: "new" },
      changes: { type: { from: null, to: "K8S" }, policies: { from: null, to: ["sample"] } },
    },
  },
  createEvaluation: "evidence",
  createFlow: {
    act: "flow.created",
    request: { json: { name: "new", description: "d", template: ["unit"] } },
    entry: {
      resource: { name: "new" },
      changes: { description: { from: null, to: "d" }, template_sha256: { from: null, to: sha256 } },
    },
  },
  createFlowWithTemplate: {
    act: "flow.template_changed",
    request: { files: [templateFile] },
    entry: { resource: { name: "sample" }, changes: { template_sha256: { from: null, to: sha256 } } },
  },
  createShareLink: {
    act: "share_link.created",
    entry: {
      resource: { name: "sample" },
      details: { kind: "trail", place: "sample" },
      changes: { description: { from: null, to: "for the auditor" } },
    },
    again: true,
  },
  createAdmissionWebhook: {
    act: "admission_webhook.created",
    request: { json: { name: "another", environment_name: "sample" } },
    entry: {
      resource: { name: "another" },
      changes: {
        environment: { from: null, to: "sample" },
        mode: { from: null, to: "deny" },
        unpinned: { from: null, to: "deny" },
      },
    },
  },
  deleteAdmissionWebhook: {
    act: "admission_webhook.deleted",
    entry: { resource: { name: "to-delete" }, details: { environment: "sample" } },
  },
  reviewAdmission: "changes nothing",
  createHook: {
    act: "hook.created",
    request: { json: { name: "another", kind: "sonar", flow_name: "web" } },
    entry: {
      resource: { name: "another", id: null },
      changes: { kind: { from: null, to: "sonar" }, flow_name: { from: null, to: "web" } },
    },
  },
  putLoginProvider: {
    act: "login_provider.created",
    request: {
      json: { name: "new", issuer: "https://login.example.com", client_id: "c", client_secret: "s" },
    },
    entry: {
      resource: { name: "new" },
      changes: {
        ...{ kind: { from: null, to: "oidc" }, label: { from: null, to: "new" } },
        ...{ issuer: { from: null, to: "https://login.example.com" }, client_id: { from: null, to: "c" } },
        client_secret: { from: null, to: expect.stringMatching(/^sealed [0-9a-f]{12}$/) },
      },
    },
  },
  deleteLoginProvider: { act: "login_provider.deleted", entry: { resource: { name: "to-delete" } } },
  createInvitation: {
    act: "invitation.created",
    request: { json: { email: "zoe@example.com", privilege: "member", flows: ["web"] } },
    entry: {
      resource: { name: "zoe@example.com" },
      changes: { privilege: { from: null, to: "member" }, flows: { from: null, to: ["web"] } },
    },
    again: true,
  },
  revokeInvitation: {
    act: "invitation.revoked",
    entry: { resource: { name: "zoe@example.com" }, details: { privilege: "reader" } },
  },
  publishDecisionPolicy: {
    act: "decision_policy.created",
    entry: {
      resource: { name: "sample" },
      changes: {
        version: { from: null, to: 1 },
        digest: { from: null, to: expect.stringMatching(/^sha256:/) },
      },
    },
  },
  putMember: {
    act: "member.changed",
    entry: {
      resource: { name: "Kim Known" },
      details: { source: "manual" },
      changes: { privilege: { from: "reader", to: "member" } },
    },
  },
  removeMember: {
    act: "member.removed",
    entry: { resource: { name: "Pat Past" }, details: { source: "manual", privilege: "reader" } },
  },
  endMemberSessions: {
    act: "member.sessions_ended",
    entry: { resource: { name: "Kim Known" }, details: { sessions: 0 } },
    again: true,
  },
  deleteHook: { act: "hook.deleted", entry: { resource: { name: "to-delete" }, details: { kind: "sonar" } } },
  createScimToken: {
    act: "scim_token.created",
    entry: { resource: { name: "Okta" }, changes: { provider: { from: null, to: "company" } } },
  },
  revokeScimToken: {
    act: "scim_token.revoked",
    entry: { resource: { name: "to-revoke" }, details: { provider: "company" } },
  },
  createServiceAccount: {
    act: "service_account.created",
    request: { json: { name: "new", privilege: "member" } },
    entry: { resource: { name: "new" }, changes: { privilege: { from: null, to: "member" } } },
  },
  createTrustPolicy: {
    act: "trust_policy.created",
    entry: {
      resource: { name: expect.stringMatching(/^sample-/) },
      changes: { repository: { from: null, to: "acme/web" }, privilege: { from: null, to: "attester" } },
    },
  },
  deleteAction: {
    act: "action.deleted",
    entry: { resource: { name: "sample", id: "1" }, details: { type: "env", targets: masked } },
  },
  deleteEnvironmentNotification: {
    act: "action.deleted",
    entry: { resource: { name: "to-delete", id: "3" } },
  },
  deleteServiceAccount: {
    act: "service_account.deleted",
    entry: { resource: { name: "to-delete" }, details: { revoked_api_keys: [] } },
  },
  deleteTrustPolicy: { act: "trust_policy.deleted", entry: { resource: { name: "no-longer" } } },
  detachPolicies: {
    act: "environment.policies_changed",
    entry: { resource: { name: "with-policy" }, changes: { policies: { from: ["sample"], to: [] } } },
  },
  enableTargets: {
    act: "action.enabled",
    entry: { resource: { name: "hooked", id: "4" }, details: { type: "env", targets: [1, 2] } },
  },
  exchangeToken: {
    act: "trust_policy.pinned",
    entry: {
      account: "github:acme/web build.yml run 123 attempt 1",
      resource: { name: "trusted" },
      changes: { repository_id: { from: null, to: "4711" } },
    },
  },
  explainTrust: "changes nothing",
  findApiKey: "changes nothing",
  joinEnvironment: {
    act: "environment.changed",
    entry: {
      resource: { name: "logical" },
      changes: { included_environments: { from: [], to: ["sample"] } },
    },
  },
  overrideAttestation: {
    act: "attestation.overridden",
    request: {
      json: {
        attestation_name: "sample",
        reason: "accepted",
        new_compliance_status: false,
        original_attestation_type: "generic",
      },
    },
    entry: {
      resource: { name: "sample" },
      details: { flow: "sample", trail: "sample", reason: "accepted" },
      changes: { is_compliant: { from: true, to: false } },
    },
  },
  putEnvironmentAction: {
    act: "action.changed",
    request: { json: { ...action, name: "sample", environments: [] } },
    entry: { resource: { name: "sample", id: "1" }, changes: { targets: { to: masked } } },
  },
  putEnvironmentNotification: {
    act: "action.created",
    request: { json: { ...action, name: "new", environments: ["sample"] } },
    entry: {
      resource: { name: "new" },
      changes: { environments: { from: null, to: ["sample"] }, targets: { from: null, to: masked } },
    },
  },
  putFlowAction: {
    act: "action.created",
    request: { json: { ...action, name: "new" } },
    entry: { resource: { name: "new" }, details: { type: "flow" } },
  },
  putOrganizationAction: {
    act: "action.created",
    request: { json: { ...action, name: "new" } },
    entry: { resource: { name: "new" }, details: { type: "org" }, changes: { triggers: { to: [] } } },
  },
  putPolicy: {
    act: "policy.changed",
    entry: { resource: { name: "sample" }, changes: { version: { from: 1, to: 2 } } },
  },
  recordApproval: {
    act: "approval.recorded",
    entry: {
      resource: { name: "sample#2" },
      details: { artifact_fingerprint: FP },
      changes: { state: { from: null, to: "PENDING" } },
    },
    again: true,
  },
  recoverDeliveries: {
    act: "action.recovered",
    entry: { resource: { name: "hooked", id: "4" }, details: { since: 0, recovered: 2 } },
  },
  redeliver: {
    act: "action.redelivered",
    entry: { resource: { name: "hooked" }, details: { target: 1, delivery_id: expect.any(String) } },
    again: true,
  },
  renameEnvironment: {
    act: "environment.renamed",
    entry: {
      resource: { name: "to-rename" },
      changes: { name: { from: "to-rename", to: "renamed" } },
    },
  },
  renameFlow: {
    act: "flow.renamed",
    entry: {
      resource: { name: "to-rename" },
      changes: { name: { from: "to-rename", to: "renamed" } },
    },
  },
  reportArtifact: "evidence",
  reportAzureApps: "evidence",
  reportCloudRun: "evidence",
  reportDocker: "evidence",
  reportECS: "evidence",
  reportK8S: "evidence",
  reportLambda: "evidence",
  reportS3: "evidence",
  reportServer: "evidence",
  revokeShareLink: {
    act: "share_link.revoked",
    entry: { resource: { name: "sample" }, details: { kind: "trail", place: "sample" } },
  },
  revokeApiKey: { act: "api_key.revoked", entry: { resource: { name: "sample" } } },
  rotateApiKey: {
    act: "api_key.rotated",
    entry: { resource: { name: "sample" }, details: { new_api_key_id: expect.any(String) } },
    again: true,
  },
  /** An account has one organization: no other can be its default. */
  rotateSecrets: {
    act: "action.secret_rotated",
    request: { json: { force: true } },
    entry: {
      resource: { name: "hooked" },
      details: { targets: [1], grace_period_hours: 24, force: true },
    },
    again: true,
  },
  setDefaultOrg: "changes nothing",
  setTargetToken: {
    act: "action.token_set",
    request: { json: { token: "the-secret-part" } },
    entry: { resource: { name: "hooked" }, details: { targets: [2] } },
    again: true,
  },
  showSecrets: {
    act: "action.secret_shown",
    entry: { resource: { name: "never-shown", id: "5" }, details: { targets: [1] } },
  },
  stateAttestation: "evidence",
  stateVerdict: "evidence",
  testAction: {
    act: "action.tested",
    entry: { resource: { name: "hooked" }, details: { targets: [1, 2] } },
    again: true,
  },
  unarchiveControl: {
    act: "control.unarchived",
    entry: { resource: { name: "sample" }, changes: { archived: { from: true, to: false } } },
  },
  updateControl: {
    act: "control.changed",
    request: { json: { name: "new" } },
    entry: { resource: { name: "sample" }, changes: { name: { from: "sample", to: "new" } } },
    again: true,
  },
  updateEnvironment: {
    act: "environment.changed",
    request: { json: { description: "new" } },
    entry: { resource: { name: "sample" }, changes: { description: { from: "", to: "new" } } },
  },
  updateEnvironmentNotification: {
    act: "action.changed",
    request: { json: { ...action, name: "another-name", environments: [] } },
    entry: {
      resource: { name: "another", id: "2" },
      changes: { name: { from: "another", to: "another-name" } },
    },
  },
  updateServiceAccount: {
    act: "service_account.privilege_changed",
    request: { json: { privilege: "member" } },
    entry: { resource: { name: "sample" }, changes: { privilege: { from: "reader", to: "member" } } },
  },
  updateTags: {
    act: "flow.tagged",
    entry: { resource: { name: "sample" }, changes: { team: { from: null, to: "web" } } },
  },
  updateTrustPolicy: {
    act: "trust_policy.changed",
    request: { json: { issuer: knownIssuer().options.url, repository: "acme/web", flows: ["api"] } },
    entry: { resource: { name: "trusted" }, changes: { flows: { from: ["web"], to: ["api"] } } },
  },
};

const REMOVES = /archive|rename|delete|revoke|detach/i;
const changing: readonly OperationShape[] = Object.values<OperationShape>(operations).filter(
  ({ method, path }) => method !== "GET" && (OPA !== undefined || !path.startsWith("/evaluations/")),
);
/** Operations that create records, then those that remove them, by name: targets are enabled before deliveries are recovered. */
const inOrder = [
  ...changing.filter(({ name }) => !REMOVES.test(name)).sort(byName),
  ...changing.filter(({ name }) => REMOVES.test(name)).sort(byName),
];
function byName(one: OperationShape, other: OperationShape): number {
  return one.name < other.name ? -1 : 1;
}
const casesOf: ReadonlyMap<string, Audited | Unaudited> = new Map(Object.entries(OPERATIONS));

const RECORD_ID = /^[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{8}$/;

interface Entry {
  id: string;
  act: string;
}

let service: TestService;
let succeeding: (operation: OperationShape) => RequestToSend;
beforeAll(async () => {
  service = await startTestService({}, { opa: OPA });
  succeeding = await succeedingRequests(service);
  switchOffTargets();
  failDeliveries();
});
afterAll(() => service.dispose());

/** Like a target that answers 410. */
function switchOffTargets(): void {
  const database = new DatabaseSync(databaseFile(service.dataFolder));
  database.exec("update notification_targets set ended_at = 1, ended_because = 'It answered 410'");
  database.close();
}

/** Leaves each target a delivery that failed for three days: only deliveries that are not examples are recovered. */
function failDeliveries(): void {
  const database = new DatabaseSync(databaseFile(service.dataFolder));
  database.exec(`insert into notification_events (id, org_id, number, event_trigger, payload, created_at)
    select 'failed', id, 9000, 'ON_STARTED_ARTIFACT', '{}', 1 from organizations where name = '${ORG}'`);
  database.exec(`insert into notification_deliveries (id, org_id, event_id, action_id, target_id, state, created_at, ended_at)
    select 'failed-' || id, org_id, 'failed', action_id, id, 'failed', 1, 1 from notification_targets`);
  database.close();
}

/** Stops background sending, which writes results. */
async function restTargets(): Promise<void> {
  const database = new DatabaseSync(databaseFile(service.dataFolder));
  database.exec("update notification_targets set paused_until = 1e10");
  const underWay = database.prepare("select 1 from notification_deliveries where leased_by is not null");
  await vi.waitFor(() => expect(underWay.all()).toEqual([]), 20_000);
  database.close();
}

async function entries(query = ""): Promise<Entry[]> {
  const path = `/audit-log/${ORG}?per_page=100${query}`;
  const { body } = await send(service, { path, key: service.keys.admin });
  return body.data;
}

/** The log entries of a request, newest first. */
async function entriesOf(request: () => Promise<unknown>): Promise<Entry[]> {
  const known = new Set((await entries()).map(({ id }) => id));
  await request();
  return (await entries()).filter(({ id }) => !known.has(id));
}

/** All records, except the last use of keys, and the log, which is written later. */
function allRecords(): Record<string, unknown[]> {
  const database = new DatabaseSync(databaseFile(service.dataFolder), { readOnly: true });
  const tables = database
    .prepare("select name from pragma_table_list where type = 'table' and name not like 'log%'")
    .all();
  const records = Object.fromEntries(
    tables.map(({ name }) => [String(name), database.prepare(`select * from "${name}"`).all()]),
  );
  database.close();
  return { ...records, api_keys: records["api_keys"]?.map((key) => ({ ...key, last_used_at: null })) ?? [] };
}

/** Makes the database refuse every log entry meanwhile. */
async function withoutAuditLog(work: () => Promise<void>): Promise<void> {
  const database = new DatabaseSync(databaseFile(service.dataFolder));
  database.exec(
    "create trigger refused before insert on audit_log begin select raise(abort, 'no entry'); end",
  );
  try {
    await work();
  } finally {
    database.exec("drop trigger refused");
    database.close();
  }
}

describe.each(inOrder)("$name", (operation) => {
  const audited = casesOf.get(operation.name) ?? expect.fail("it is not in the table");

  if (typeof audited === "string") {
    it(`leaves no entry: ${audited}`, async () => {
      const left = await entriesOf(() => succeed(succeeding(operation)));
      expect(left).toEqual([]);
    });
    return;
  }

  it("does nothing without its entry, leaves one that names the actor and the change, and none when nothing changes", async () => {
    const message = { ...succeeding(operation), ...audited.request };
    await restTargets();
    const before = allRecords();
    await withoutAuditLog(async () => {
      expect((await send(service, message)).status).toBe(500);
    });
    expect(allRecords()).toEqual(before);

    const requestId = `req-${operation.name}`;
    const left = await entriesOf(() => succeed({ ...message, headers: { "x-request-id": requestId } }));
    expect(left).toMatchObject([
      {
        act: audited.act,
        created_at: service.clock.time,
        account: "admin",
        api_key_id: expect.stringMatching(RECORD_ID),
        address: "127.0.0.1",
        // A caller could choose the id of another caller's request.
        request_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        ...audited.entry,
      },
    ]);
    expect(JSON.stringify(left)).not.toContain("the-secret-part");

    const again = await entriesOf(() => send(service, message));
    expect(again.map(({ act }) => act)).toEqual(audited.again ? [audited.act] : []);
  });
});

async function succeed(message: RequestToSend): Promise<void> {
  const { status, text } = await send(service, message);
  expect([200, 201], text).toContain(status);
}

it("is made of events whose data match their types", async () => {
  const store = await openDataFolder(service.dataFolder);
  expect(await eventFaults(store.read)).toEqual([]);
  await store.close();
});

describe("an entry", () => {
  let fresh: TestService;
  let put: (path: string, json: object) => Promise<void>;
  beforeAll(async () => {
    fresh = await startTestService();
    put = async (path, json) => {
      const message = { method: "PUT", path, json, key: fresh.keys.admin };
      expect([200, 201]).toContain((await send(fresh, message)).status);
    };
  });
  afterAll(() => fresh.dispose());

  async function latest() {
    const path = `/audit-log/${ORG}?per_page=1`;
    return (await send(fresh, { path, key: fresh.keys.admin })).body.data[0];
  }

  it.each([
    ["flow", `/flows/${ORG}`, { name: "back", description: "", template: [] }],
    ["environment", `/environments/${ORG}`, { name: "back", description: "", type: "K8S" }],
  ])("reports that an archived %s was restored, and what else was changed", async (type, path, fields) => {
    await put(path, fields);
    await put(`${path}/back/archive`, {});
    await put(path, { ...fields, description: "new" });
    expect(await latest()).toMatchObject({
      act: `${type}.unarchived`,
      changes: { archived: { from: true, to: false }, description: { from: "", to: "new" } },
    });
  });

  it("reports a change of a webhook address, also if both have the same ends", async () => {
    const target = (webhook: string) => ({ name: "told", targets: [{ type: "WEBHOOK", webhook }] });
    await put(`/actions/${ORG}/flows`, target("https://example.org/one-secret-a1b2"));
    await put(`/actions/${ORG}/flows`, target("https://example.org/two-secret-a1b2"));
    const shown = [{ type: "WEBHOOK", webhook: "example.org/…a1b2", payload_version: "1.0" }];
    expect(await latest()).toMatchObject({
      act: "action.changed",
      changes: { targets: { from: shown, to: shown } },
    });
  });

  it("is short, whatever was sent", async () => {
    // The character has two halves, of which one would be cut off.
    const description = `${"x".repeat(999)}😀${"x".repeat(50_000)}`;
    await put(`/flows/${ORG}`, { name: "long", description, template: [] });
    expect((await latest()).changes.description.to).toBe(`${"x".repeat(999)}�…`);
    const environments = Array.from({ length: 102 }, (_, i) => `env-${i}`);
    const targets = [{ type: "EMAIL", emails: ["a@example.org"] }];
    await put(`/actions/${ORG}/environments`, { name: "many", targets, environments, triggers: [] });
    const { to } = (await latest()).changes.environments;
    expect(to).toEqual([...environments.slice(0, 100), "… and 2 more"]);
  });

  it("of a deleted account names the keys that stopped working with it", async () => {
    const path = `/service-accounts/${ORG}`;
    const post = (more: string, json: object) =>
      send(fresh, { method: "POST", path: path + more, json, key: fresh.keys.admin });
    await post("", { name: "gone" });
    const { body } = await post("/gone/api-keys", { description: "d" });
    await send(fresh, { method: "DELETE", path: `${path}/gone`, key: fresh.keys.admin });
    const entry = await latest();
    expect(entry).toMatchObject({
      act: "service_account.deleted",
      details: { revoked_api_keys: [body.id] },
    });
  });

  it("has the address that a trusted proxy names", async () => {
    const behind = await startTestService({ trustedProxies: ["127.0.0.1"] });
    const json = { name: "web", description: "", template: [] };
    const headers = { "x-forwarded-for": "203.0.113.7" };
    await send(behind, { method: "PUT", path: `/flows/${ORG}`, json, headers });
    const { body } = await send(behind, { path: `/audit-log/${ORG}`, key: behind.keys.admin });
    expect(body.data).toMatchObject([{ act: "flow.created", account: "member", address: "203.0.113.7" }]);
    await behind.dispose();
  });
});

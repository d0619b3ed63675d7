import { request } from "undici";
import type { OperationShape } from "../../src/api/operation.ts";
import { type OperationName, operations } from "../../src/api/resources/operations.ts";
import { OPA } from "../go-programs.ts";
import { knownIssuer } from "../identity/known-issuer.ts";
import { COMMIT, FP, pipeline, type RequestToSend, sampleRequest, send } from "./requests.ts";
import { ORG, type TestService } from "./running-service.ts";

/** Without opa, the service evaluates no policies. */
const every: readonly OperationShape[] = Object.values(operations).filter(
  ({ path }) => OPA !== undefined || !path.startsWith("/evaluations/"),
);

const REMOVES = /archive|rename|delete|revoke|detach/i;
/** Requests that create records, then those that read them, then those that remove them. */
export const IN_ORDER: readonly OperationShape[] = [
  ...every.filter(({ method, name }) => method !== "GET" && method !== "DELETE" && !REMOVES.test(name)),
  ...every.filter(({ method }) => method === "GET"),
  ...every.filter(({ method, name }) => method === "DELETE" || (method !== "GET" && REMOVES.test(name))),
];

/**
 * Creates the records that the sample requests refer to and returns the request with which each operation succeeds:
 * once, as some remove what they name.
 */
export async function succeedingRequests(
  service: TestService,
): Promise<(operation: OperationShape) => RequestToSend> {
  const changes: Readonly<Record<string, Partial<RequestToSend>>> = await prepare(service);
  return (operation) => ({
    ...sampleRequest(operation),
    key: service.keys.admin,
    ...changes[operation.name],
  });
}

/** Differences between the request of an operation and its sample. */
async function prepare(
  service: TestService,
): Promise<{ readonly [Name in OperationName]?: Partial<RequestToSend> }> {
  const key = service.keys.admin;
  const make = pipeline(service, key);
  const ask = async (message: RequestToSend) => {
    const answer = await send(service, { key, ...message });
    if (answer.status >= 300) throw new Error(`${message.method} ${message.path}: ${answer.text}`);
    return answer.body;
  };
  const sample = (name: OperationName, more: Partial<RequestToSend> = {}) =>
    ask({ ...sampleRequest(operations[name]), ...more });

  await make.flow("sample");
  await make.flow("to-rename");
  await make.trail("sample", "sample");
  const repo = { name: "sample", url: "https://github.com/sample", namespace_path: ["acme"] };
  await make.artifact("sample", "sample", { repo_info: repo });
  await make.attest("sample", "sample", { attestation_name: "sample", artifact_fingerprint: FP });
  const fields = { attestation_name: "sample", git_commit_info: { sha1: COMMIT } };
  await make.attest("sample", "sample", fields, [{ name: "a.txt", content: "a" }]);
  const { repos } = await ask({ path: `/repos/${ORG}` });
  const ofRepo = `/repos/${ORG}/${repos[0].id}`;
  const [attested] = await ask({ path: `/attestations/${ORG}/sample/trail/sample/sample` });
  // Signs the first checkpoint.
  await ask({ path: `/log/${ORG}/proof?attestation_id=${attested.attestation_id}` });

  const pod = {
    podName: "web-1",
    namespace: "web",
    digests: { web: FP },
    creationTimestamp: 1_799_999_000,
  };
  await make.environment("sample");
  await make.environment("to-rename");
  await make.environment("logical", { type: "logical" });
  await make.report("sample", [pod]);
  await make.policy("sample", "_schema: https://example.org/v1");
  await make.environment("with-policy", { policies: ["sample"] });
  await sample("allowArtifact");
  await sample("recordApproval");
  await sample("createCustomAttestationType");

  const decided = `/controls/${ORG}/decided`;
  await make.control({ identifier: "decided", name: "decided" });
  for (const tagged of ["control/decided", `repo/${repos[0].id}`]) {
    await ask({ method: "PATCH", path: `/tags/${ORG}/${tagged}`, json: { set_tags: { team: "web" } } });
  }
  const decision = {
    attestation_name: "decision",
    type_name: "decision",
    control: "decided",
    attestation_data: { is_compliant: true },
  };
  await sample("attestSystem", { form: decision });
  const evaluation = {
    json: {
      ...Object(sampleRequest(operations.createEvaluation).json),
      context: { trails: [{ flow: "sample", trail: "sample" }] },
    },
  };
  const evaluated = OPA === undefined ? undefined : await sample("createEvaluation", evaluation);
  const { decisions } = await ask({ path: `${decided}/decisions` });

  // In numerical order.
  const action = sampleRequest(operations.putEnvironmentAction).json;
  for (const name of ["sample", "another", "to-delete"]) {
    await sample("putEnvironmentAction", { json: { ...Object(action), name } });
  }

  const hooks = [
    { type: "WEBHOOK", webhook: "https://127.0.0.1/the-secret-part-a1b2" },
    { type: "WEBHOOK", webhook: "https://127.0.0.1/api/v3/repos/acme/web/dispatches" },
  ];
  await sample("putEnvironmentAction", { json: { ...Object(action), name: "hooked", targets: hooks } });
  await sample("putEnvironmentAction", { json: { ...Object(action), name: "never-shown", targets: hooks } });
  const hooked = `/actions/${ORG}/4`;
  const { results } = await sample("testAction", { path: `${hooked}/test` });
  const delivery = `${hooked}/deliveries/${results[0].delivery_id}`;

  const shared = await sample("createShareLink");
  const cluster = Object(sampleRequest(operations.createAdmissionWebhook).json);
  await sample("createAdmissionWebhook", { json: { ...cluster, name: "to-delete" } });
  await sample("createHook", { json: { name: "to-delete", kind: "sonar" } });
  await sample("createHook", { json: { name: "kept", kind: "launch-darkly" } });
  const login = Object(sampleRequest(operations.putLoginProvider).json);
  await sample("putLoginProvider", { json: { ...login, name: "to-delete" } });
  const scimToken = await sample("createScimToken", {
    json: { description: "to-revoke", provider: "company" },
  });
  const provisioned = async (path: string, resource: object) => {
    const { body } = await request(`${service.address}/scim/v2/${ORG}${path}`, {
      method: "POST",
      dispatcher: service.dispatcher,
      headers: { authorization: `Bearer ${scimToken.token}`, "content-type": "application/scim+json" },
      body: JSON.stringify(resource),
    });
    return Object(await body.json());
  };
  const { id: value } = await provisioned("/Users", { userName: "zoe@example.com", externalId: "zoe" });
  await provisioned("/Groups", { displayName: "developers", members: [{ value }] });
  const keysOf = (account: string) => `/service-accounts/${ORG}/${account}/api-keys`;
  await sample("createServiceAccount", { json: { name: "sample" } });
  await sample("createServiceAccount", { json: { name: "to-delete" } });
  const apiKey = async () => {
    const { id } = await sample("createApiKey");
    return `${keysOf("sample")}/${id}`;
  };

  const invited = await sample("createInvitation");
  const members: { id: string; name: string }[] = await ask({ path: `/members/${ORG}` });
  const memberNamed = (wanted: string) =>
    `/members/${ORG}/${members.find(({ name }) => name === wanted)?.id ?? ""}`;
  const [member, leaving] = [memberNamed("Kim Known"), memberNamed("Pat Past")];

  const token = () => knownIssuer().token(`${service.address}/${ORG}`);
  for (const name of ["trusted", "no-longer"]) {
    const trusted = Object(sampleRequest(operations.createTrustPolicy).json);
    await sample("createTrustPolicy", { json: { ...trusted, name } });
  }

  return {
    ...(await reportsOfEachType(make)),
    attachPolicies: { json: { policy_names: ["sample"] } },
    deleteEnvironmentNotification: { path: `/organizations/${ORG}/environments_notifications/3` },
    deleteAdmissionWebhook: { path: `/admission-webhooks/${ORG}/to-delete` },
    deleteHook: { path: `/hooks/${ORG}/to-delete` },
    deleteLoginProvider: { path: `/login-providers/${ORG}/to-delete` },
    revokeScimToken: { path: `/scim-tokens/${ORG}/${scimToken.id}` },
    deleteServiceAccount: { path: `/service-accounts/${ORG}/to-delete` },
    deleteTrustPolicy: { path: `/trust-policies/${ORG}/no-longer` },
    detachPolicies: {
      path: `/environments/${ORG}/with-policy/policies`,
      json: { policy_names: ["sample"] },
    },
    downloadEvidence: {
      path: `/attestations/${ORG}/sample/trail/sample/attestation/${attested.attestation_id}/evidence`,
    },
    stateAttestation: {
      path: `/attestations/${ORG}/sample/trail/sample/attestation/${attested.attestation_id}/statement`,
    },
    exchangeToken: { json: { token: token(), org: ORG, policy: "trusted" } },
    explainTrust: { json: { token: token() } },
    findApiKey: { json: { key: service.keys.member } },
    enableTargets: { path: `${hooked}/enable` },
    getApiKey: { path: await apiKey() },
    getLogConsistency: { path: `/log/${ORG}/consistency?from=0` },
    getLogProof: { path: `/log/${ORG}/proof?attestation_id=${attested.attestation_id}` },
    getLogTile: { path: `/log/${ORG}/tile/0/000.p/1` },
    getMember: { path: member },
    putMember: { path: member },
    removeMember: { path: leaving },
    endMemberSessions: { path: `${member}/sessions` },
    revokeInvitation: { path: `/invitations/${ORG}/${invited.id}` },
    getControlDecision: { path: `${decided}/decisions/${decisions[0].decision_id}` },
    getRepoDeploymentStatistics: { path: `${ofRepo}/deployment-statistics` },
    getTrustPolicy: { path: `/trust-policies/${ORG}/trusted` },
    updateTrustPolicy: { path: `/trust-policies/${ORG}/trusted` },
    getDelivery: { path: delivery },
    createEvaluation: evaluation,
    ...(evaluated && { getEvaluation: { path: `/evaluations/${ORG}/${evaluated.id}` } }),
    joinEnvironment: { path: `/environments/${ORG}/logical/join`, json: { physical_env_name: "sample" } },
    listControlDecisions: { path: `${decided}/decisions` },
    listDeliveries: { path: `${hooked}/deliveries?target=1&state=failed` },
    listRepoDeployments: { path: `${ofRepo}/deployments` },
    listTargets: { path: `${hooked}/targets` },
    overrideAttestation: {
      json: { ...Object(sampleRequest(operations.overrideAttestation).json), attestation_name: "sample" },
    },
    recoverDeliveries: { path: `${hooked}/recover` },
    redeliver: { path: `${delivery}/redeliver` },
    renameEnvironment: { path: `/environments/${ORG}/to-rename/rename` },
    renameFlow: { path: `/flows/${ORG}/to-rename/rename` },
    revokeApiKey: { path: await apiKey() },
    revokeShareLink: { path: `/share-links/${ORG}/${shared.id}` },
    rotateApiKey: { path: `${await apiKey()}/rotate` },
    rotateSecrets: { path: `${hooked}/secret/rotate` },
    setTargetToken: { path: `${hooked}/token` },
    showSecrets: { path: `/actions/${ORG}/5/secret` },
    testAction: { path: `${hooked}/test` },
    updateEnvironmentNotification: {
      path: `/organizations/${ORG}/environments_notifications/2`,
      json: { ...Object(action), name: "another" },
    },
  };
}

/** Each kind of report goes to an environment of its kind. */
async function reportsOfEachType(make: ReturnType<typeof pipeline>) {
  const changes: Record<string, Partial<RequestToSend>> = {};
  for (const { name, path } of every) {
    const [, type] = /\/report\/([\w-]+)$/.exec(path) ?? [];
    if (type === undefined) continue;
    await make.environment(`sample-${type}`, { type });
    changes[name] = { path: `/environments/${ORG}/sample-${type}/report/${type}` };
  }
  return changes;
}

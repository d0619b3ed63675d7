import { FormData, request } from "undici";
import { expect } from "vitest";
import type { OperationShape } from "../../src/api/operation.ts";
import { operations } from "../../src/api/resources/operations.ts";
import { knownIssuer } from "../identity/known-issuer.ts";
import { ORG, type TestService } from "./running-service.ts";

export interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
  headers: Record<string, string | string[] | undefined>;
  /** The unparsed body. */
  text: string;
}

export interface FileToPost {
  part?: string;
  name: string;
  content: string | Uint8Array;
  type?: string;
}

export interface RequestToSend {
  method?: string;
  /** Below `/api/v2`. */
  path: string;
  /** Sent as JSON text. */
  json?: unknown;
  /** Sent as JSON in a part of a form. */
  form?: unknown;
  /** The name of that part; `data_json` by default. */
  formPart?: string;
  files?: readonly FileToPost[];
  /** Sent unchanged. */
  raw?: string | Uint8Array | FormData;
  /** The key to send; by default the member's, for null none. */
  key?: string | null;
  headers?: Record<string, string>;
}

/** A service and a key that may write. */
export type Reachable = Pick<TestService, "address" | "dispatcher"> & { keys: { member: string } };

/** Sends one request and reads the response. */
export async function send(service: Reachable, message: RequestToSend): Promise<Answered> {
  const { method = "GET", path, json, key = service.keys.member, headers = {} } = message;
  const body = message.raw ?? (json !== undefined ? JSON.stringify(json) : formOf(message));
  const answer = await request(`${service.address}/api/v2${path}`, {
    method,
    dispatcher: service.dispatcher,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.body.text();
  return {
    status: answer.statusCode,
    body: text !== "" && isJson(answer.headers["content-type"]) ? JSON.parse(text) : undefined,
    headers: answer.headers,
    text,
  };
}

function isJson(mediaType: string | string[] | undefined): boolean {
  return String(mediaType).startsWith("application/json");
}

function formOf({ form: data, formPart = "data_json", files = [] }: RequestToSend): FormData | undefined {
  if (data === undefined) return undefined;
  const form = new FormData();
  form.append(formPart, typeof data === "string" ? data : JSON.stringify(data));
  for (const { part = "attachment_file", name, content, type = "text/plain" } of files) {
    form.append(part, new Blob([Buffer.from(content)], { type }), name);
  }
  return form;
}

export const FP = "a".repeat(64);
export const COMMIT = "c".repeat(40);

/** The shortest valid requests of pipelines, in their usual order. */
export function pipeline(service: Reachable & { keys: { admin: string } }, key = service.keys.member) {
  const post = (message: RequestToSend) => send(service, { key, ...message });
  return {
    flow: (name: string, templateYaml?: string) =>
      post({
        method: "PUT",
        path: `/flows/${ORG}/template_file`,
        form: { name, description: "" },
        files:
          templateYaml === undefined
            ? []
            : [{ part: "template_file", name: "template.yml", content: templateYaml }],
      }),
    trail: (flow: string, name: string, more: object = {}, templateYaml?: string) =>
      post({
        method: "PUT",
        path: `/trails/${ORG}/${flow}`,
        form: { name, ...more },
        files:
          templateYaml === undefined
            ? []
            : [{ part: "template_file", name: "template.yml", content: templateYaml }],
      }),
    artifact: (flow: string, trail: string | undefined, more: object = {}) =>
      post({ method: "POST", path: `/artifacts/${ORG}/${flow}`, json: { ...artifact(trail), ...more } }),
    attest: (flow: string, trail: string, more: object = {}, files: readonly FileToPost[] = []) =>
      post({
        method: "POST",
        path: `/attestations/${ORG}/${flow}/trail/${trail}/generic`,
        form: { attestation_name: "unit", is_compliant: true, ...more },
        files,
      }),
    attestations: (flow: string, fingerprint = FP, name = "unit") =>
      post({ path: `/attestations/${ORG}/${flow}/artifact/${fingerprint}/${name}` }),
    assert: (fingerprint = FP, query = "") =>
      post({ path: `/asserts/${ORG}/fingerprint/${fingerprint}${query}` }),
    environment: (name: string, more: object = {}) =>
      post({
        method: "PUT",
        path: `/environments/${ORG}`,
        json: { name, type: "K8S", description: "", ...more },
      }),
    report: (environment: string, artifacts: unknown, more: object = {}) =>
      post({
        method: "PUT",
        path: `/environments/${ORG}/${environment}/report/K8S`,
        json: { type: "K8S", artifacts, ...more },
      }),
    control: (json: object) =>
      send(service, { method: "POST", path: `/controls/${ORG}`, json, key: service.keys.admin }),
    policy: (name: string, yaml?: string, more: object = {}) =>
      post({
        method: "PUT",
        path: `/policies/${ORG}`,
        form: { name, ...more },
        formPart: "payload",
        files: yaml === undefined ? [] : [{ part: "policy_file", name: "policy.yml", content: yaml }],
      }),
    action: (json: object) => post({ method: "PUT", path: `/actions/${ORG}/flows`, json }),
    repos: (query = "") => post({ path: `/repos/${ORG}${query}` }),
  };
}

function artifact(trail: string | undefined) {
  return {
    fingerprint: FP,
    filename: "web:1.2",
    build_url: "https://ci.example/run/7",
    commit_url: "https://git.example/c/1",
    git_commit: COMMIT,
    template_reference_name: "web",
    ...(trail === undefined ? {} : { trail_name: trail }),
  };
}

/** Expects a response of this status with exactly this message. */
export function expectRefusal(
  { status, body }: Pick<Answered, "status" | "body">,
  expected: number,
  message: string,
): void {
  expect({ status, message: body.message }).toEqual({ status: expected, message });
}

/** A valid request for each operation, as far as possible without records. */
export function sampleRequest(operation: OperationShape, org = ORG): RequestToSend {
  const path = `${operation.path}${SAMPLE_QUERIES[operation.name] ?? ""}`
    .replace("{org}", org)
    .replace("{fingerprint}", FP)
    .replace("{search_value}", FP)
    .replace("{commit_sha}", COMMIT)
    .replace("{resource_type}", "flow")
    .replace("{snapshot_expression}", "-1")
    .replace(/\{\w+_number\}/g, "1")
    .replace(/\{\w+\}/g, "sample");
  const sample = SAMPLE_BODIES[operation.name];
  const body = typeof sample === "function" ? sample() : sample;
  const { method } = operation;
  if (!operation.body) return { method, path };
  if (operation.body.kind === "json") return { method, path, json: body };
  const files = SAMPLE_FILES[operation.name] ?? [];
  return { method, path, form: body, formPart: operation.body.part, files };
}

const SAMPLE_FILES: Readonly<Record<string, readonly FileToPost[]>> = {
  [operations.putPolicy.name]: [
    { part: "policy_file", name: "policy.yml", content: "_schema: https://x/v1" },
  ],
};

/** By operation name, for those that need one. */
const SAMPLE_QUERIES: Readonly<Record<string, string>> = {
  [operations.diffSnapshots.name]: "?snappish1=sample&snappish2=sample",
  [operations.getLogConsistency.name]: "?from=0",
  [operations.getLogProof.name]: "?event_id=sample",
  [operations.getPopulation.name]: "?flow=sample&from=0&to=4000000000",
  [operations.getPopulationPackage.name]: "?flow=sample&from=0&to=4000000000&n=2",
  [operations.getTokenAudience.name]: `?org=${ORG}`,
  [operations.listAttestationsForCriteria.name]: `?commit_list=${COMMIT}`,
  [operations.search.name]: "?q=web",
};

let accountsNamed = 0;
let clustersNamed = 0;
let hooksNamed = 0;

function trusted() {
  return { issuer: knownIssuer().options.url, repository: "acme/web", flows: ["web"] };
}

/** By operation name; a function where each request must differ from earlier ones. */
const SAMPLE_BODIES: Readonly<Record<string, unknown>> = {
  findApiKey: { key: "de_unknown" },
  [operations.allowArtifact.name]: { artifact_name: "web", artifact_fingerprint: FP, description: "" },
  [operations.attachPolicies.name]: { policy_names: ["nowhere"] },
  [operations.detachPolicies.name]: { policy_names: ["nowhere"] },
  [operations.joinEnvironment.name]: { physical_env_name: "nowhere" },
  [operations.renameEnvironment.name]: { new_name: "renamed" },
  [operations.reportAzureApps.name]: { artifacts: [] },
  [operations.reportCloudRun.name]: { artifacts: [] },
  [operations.reportDocker.name]: { artifacts: [] },
  [operations.reportECS.name]: { artifacts: [] },
  [operations.reportLambda.name]: { artifacts: [] },
  [operations.reportS3.name]: { artifacts: [] },
  [operations.reportServer.name]: { artifacts: [] },
  [operations.updateEnvironment.name]: {},
  [operations.attestGeneric.name]: { attestation_name: "unit", is_compliant: true },
  [operations.attestCustom.name]: { attestation_name: "unit", type_name: "sample", attestation_data: {} },
  [operations.attestJira.name]: { attestation_name: "unit", jira_results: [] },
  [operations.attestJunit.name]: { attestation_name: "unit", junit_results: [] },
  [operations.attestPullRequest.name]: {
    attestation_name: "unit",
    git_provider: "github",
    pull_requests: [],
  },
  [operations.attestSnyk.name]: {
    attestation_name: "unit",
    snyk_results: { tool: { name: "Snyk", version: "1" }, results: [] },
  },
  [operations.attestSonar.name]: {
    attestation_name: "unit",
    sonar_results: { analysedAt: "today", revision: COMMIT, project: { key: "web", url: "" } },
  },
  [operations.attestSystem.name]: {
    attestation_name: "unit",
    type_name: "junit",
    attestation_data: { junit_results: [] },
  },
  [operations.beginTrail.name]: { name: "sample" },
  [operations.createApiKey.name]: { description: "sample" },
  [operations.createControl.name]: { identifier: "sample", name: "sample" },
  [operations.createCustomAttestationType.name]: { name: "sample" },
  [operations.createEnvironment.name]: { name: "sample", type: "K8S", description: "" },
  [operations.createEvaluation.name]: {
    context: { trails: [{ flow: "sample", trail: "never-begun" }] },
    policy: { files: { "policy.rego": "package policy\nallow := true\n" } },
  },
  [operations.createFlow.name]: { name: "sample", description: "", template: [] },
  [operations.createFlowWithTemplate.name]: { name: "sample", description: "" },
  [operations.createShareLink.name]: () => ({
    kind: "trail",
    place: "sample",
    name: "sample",
    description: "for the auditor",
    // A day after the start of the test clock.
    expires_at: 1_800_086_400,
  }),
  [operations.createTrustPolicy.name]: () => ({ name: `sample-${++accountsNamed}`, ...trusted() }),
  [operations.updateTrustPolicy.name]: () => trusted(),
  [operations.explainTrust.name]: { token: "none" },
  [operations.exchangeToken.name]: { token: "none", org: ORG },
  [operations.createAdmissionWebhook.name]: () => ({
    name: `cluster-${++clustersNamed}`,
    environment_name: "sample",
  }),
  [operations.reviewAdmission.name]: operations.reviewAdmission.example,
  [operations.createHook.name]: () => ({ name: `hook-${++hooksNamed}`, kind: "sonar" }),
  [operations.putLoginProvider.name]: { name: "sample", issuer: "https://login.example.com", client_id: "c" },
  [operations.createScimToken.name]: { description: "Okta", provider: "company" },
  [operations.createInvitation.name]: { email: "zoe@example.com", privilege: "reader" },
  [operations.publishDecisionPolicy.name]: operations.publishDecisionPolicy.example,
  [operations.putMember.name]: { privilege: "member" },
  [operations.createServiceAccount.name]: () => ({ name: `sample-${++accountsNamed}` }),
  [operations.overrideAttestation.name]: {
    attestation_name: "never-made",
    reason: "accepted",
    new_compliance_status: true,
    original_attestation_type: "generic",
  },
  [operations.putEnvironmentAction.name]: environmentAction(),
  [operations.putEnvironmentNotification.name]: environmentAction(),
  [operations.putFlowAction.name]: {
    name: "sample",
    targets: [{ type: "EMAIL", emails: ["a@example.org"] }],
  },
  [operations.putOrganizationAction.name]: {
    name: "sample",
    targets: [{ type: "EMAIL", emails: ["a@example.org"] }],
  },
  [operations.putPolicy.name]: { name: "sample" },
  [operations.recordApproval.name]: {
    artifact_fingerprint: FP,
    description: "sample",
    src_commit_list: [COMMIT],
  },
  [operations.renameFlow.name]: { new_name: "renamed" },
  [operations.reportArtifact.name]: artifact("sample"),
  [operations.reportK8S.name]: { type: "K8S", artifacts: [] },
  [operations.updateTags.name]: { set_tags: { team: "web" } },
  [operations.rotateApiKey.name]: {},
  [operations.enableTargets.name]: {},
  [operations.recoverDeliveries.name]: { since: 0 },
  [operations.rotateSecrets.name]: {},
  [operations.setTargetToken.name]: { token: "ghp_sample" },
  [operations.testAction.name]: {},
  [operations.updateEnvironmentNotification.name]: environmentAction(),
  [operations.updateControl.name]: {},
  [operations.updateServiceAccount.name]: {},
};

function environmentAction() {
  return {
    name: "sample",
    targets: [{ type: "EMAIL", emails: ["a@example.org"] }],
    environments: [],
    triggers: [],
  };
}

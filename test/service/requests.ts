import { FormData, request } from "undici";
import { expect } from "vitest";
import type { OperationShape } from "../../src/api/operation.ts";
import { operations } from "../../src/api/operations.ts";
import { ORG, type TestService } from "./running-service.ts";

export interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
  headers: Record<string, string | string[] | undefined>;
  /** The body before it was parsed. */
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
  /** Sent as the part `data_json` of a form. */
  form?: unknown;
  files?: readonly FileToPost[];
  /** Sent as it is. */
  raw?: string | Uint8Array | FormData;
  /** The key to send; the member's by default, none for null. */
  key?: string | null;
  headers?: Record<string, string>;
}

/** Sends one request and reads the answer. */
export async function send(service: TestService, message: RequestToSend): Promise<Answered> {
  const { method = "GET", path, json, form, files, key = service.keys.member, headers = {} } = message;
  const body = message.raw ?? (json !== undefined ? JSON.stringify(json) : formOf(form, files));
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
    body: text === "" ? undefined : JSON.parse(text),
    headers: answer.headers,
    text,
  };
}

function formOf(data: unknown, files: readonly FileToPost[] = []): FormData | undefined {
  if (data === undefined) return undefined;
  const form = new FormData();
  form.append("data_json", typeof data === "string" ? data : JSON.stringify(data));
  for (const { part = "attachment_file", name, content, type = "text/plain" } of files) {
    form.append(part, new Blob([Buffer.from(content)], { type }), name);
  }
  return form;
}

export const FP = "a".repeat(64);
export const COMMIT = "c".repeat(40);

/** The shortest valid forms of what pipelines send, in their usual order. */
export function pipeline(service: TestService, key = service.keys.member) {
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

/** Expects an answer of this status with exactly this message. */
export function expectRefusal(
  { status, body }: Pick<Answered, "status" | "body">,
  expected: number,
  message: string,
): void {
  expect({ status, message: body.message }).toEqual({ status: expected, message });
}

/** A valid request for each operation, as far as it can be said without records. */
export function sampleRequest(operation: OperationShape, org = ORG): RequestToSend {
  const path = operation.path
    .replace("{org}", org)
    .replace("{fingerprint}", FP)
    .replace(/\{\w+\}/g, "sample");
  const body = SAMPLE_BODIES[operation.name];
  const { method } = operation;
  if (!operation.body) return { method, path };
  return operation.body.kind === "json" ? { method, path, json: body } : { method, path, form: body };
}

const SAMPLE_BODIES: Readonly<Record<string, unknown>> = {
  [operations.attestGeneric.name]: { attestation_name: "unit", is_compliant: true },
  [operations.beginTrail.name]: { name: "sample" },
  [operations.createEnvironment.name]: { name: "sample", type: "K8S", description: "" },
  [operations.createFlow.name]: { name: "sample", description: "", template: [] },
  [operations.createFlowWithTemplate.name]: { name: "sample", description: "" },
  [operations.putFlowAction.name]: {
    name: "sample",
    targets: [{ type: "EMAIL", emails: ["a@example.org"] }],
  },
  [operations.reportArtifact.name]: artifact("sample"),
  [operations.reportK8S.name]: { type: "K8S", artifacts: [] },
};

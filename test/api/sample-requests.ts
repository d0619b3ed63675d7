import { openAsBlob } from "node:fs";
import type { FileToSend, RequestOf } from "../../src/api/operation.ts";
import type { OperationName, operations } from "../../src/api/operations.ts";

export const FINGERPRINT = "ab".repeat(32);

/** A file of this text, without one on the disk. */
export function fileOf(name: string, text: string, type = ""): FileToSend {
  return { name, content: new Blob([text], { type }) };
}

export async function fileAt(path: string, name: string): Promise<FileToSend> {
  return { name, path, content: await openAsBlob(path) };
}

type Operations = typeof operations;

/** What one operation is asked with, and what of it must be seen on the wire. */
interface Sample<Name extends OperationName> {
  readonly request: RequestOf<Operations[Name]>;
  readonly method: string;
  readonly path: string;
  /** The body as JSON, or undefined for none. */
  readonly body?: unknown;
  readonly multipart?: true;
  readonly answer: { readonly status: number; readonly body: unknown };
  /** The answer as the caller sees it. */
  readonly understood: unknown;
}

/** One request for every operation of the interface. A new operation does not compile until it has one. */
export const samples: { readonly [Name in OperationName]: Sample<Name> } = {
  assertArtifact: {
    request: { fingerprint: FINGERPRINT, flowName: "web", policyName: ["a", "b"] },
    method: "GET",
    path: `/api/v2/asserts/acme/fingerprint/${FINGERPRINT}?flow_name=web&policy_name=a&policy_name=b`,
    answer: {
      status: 200,
      body: { fingerprint: FINGERPRINT, compliant: true, scope: "flow", html_url: "h" },
    },
    understood: { fingerprint: FINGERPRINT, compliant: true, scope: "flow", htmlUrl: "h" },
  },
  attestGeneric: {
    request: {
      flowName: "web",
      trailName: "v1",
      body: {
        attestationName: "unit",
        isCompliant: true,
        gitCommitInfo: { sha1: "a".repeat(40), authorUsername: "ada" },
        userData: { snake_case: 1, camelCase: { inner_key: [2] } },
      },
      files: { attachmentFile: [fileOf("a.txt", "one\ntwo")] },
    },
    method: "POST",
    path: "/api/v2/attestations/acme/web/trail/v1/generic",
    body: {
      attestation_name: "unit",
      is_compliant: true,
      git_commit_info: { sha1: "a".repeat(40), author_username: "ada" },
      user_data: { snake_case: 1, camelCase: { inner_key: [2] } },
    },
    multipart: true,
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  beginTrail: {
    request: {
      flowName: "web",
      body: { name: "v1", originUrl: "https://ci.example/1" },
      files: { templateFile: fileOf("t.yml", "version: 1") },
    },
    method: "PUT",
    path: "/api/v2/trails/acme/web",
    body: { name: "v1", origin_url: "https://ci.example/1" },
    multipart: true,
    answer: { status: 201, body: { name: "v1", some_field: 1 } },
    understood: { name: "v1", some_field: 1 },
  },
  createEnvironment: {
    request: { body: { name: "prod", type: "K8S", description: "", requireProvenance: true } },
    method: "PUT",
    path: "/api/v2/environments/acme",
    body: { name: "prod", type: "K8S", description: "", require_provenance: true },
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  createFlow: {
    request: { body: { name: "web", description: "", template: ["artifact"], repoUrl: "https://x.example" } },
    method: "PUT",
    path: "/api/v2/flows/acme",
    body: { name: "web", description: "", template: ["artifact"], repo_url: "https://x.example" },
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  createFlowWithTemplate: {
    request: {
      body: { name: "web", description: "d" },
      files: { templateFile: fileOf("t.yml", "version: 1", "application/yaml") },
    },
    method: "PUT",
    path: "/api/v2/flows/acme/template_file",
    body: { name: "web", description: "d" },
    multipart: true,
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  getArtifactAttestation: {
    request: { flowName: "web", fingerprint: "ab12c", attestationName: "unit" },
    method: "GET",
    path: "/api/v2/attestations/acme/web/artifact/ab12c/unit",
    answer: {
      status: 200,
      body: [
        {
          attestation_id: "1",
          attestation_name: "unit",
          attestation_type: "generic",
          created_at: 1.5,
          user_data: { is_mine: true },
          unknown_field: { deep_key: 1 },
        },
      ],
    },
    understood: [
      {
        attestationId: "1",
        attestationName: "unit",
        attestationType: "generic",
        createdAt: 1.5,
        userData: { is_mine: true },
        unknown_field: { deep_key: 1 },
      },
    ],
  },
  listRepos: {
    request: { perPage: 2, provider: "github", repoId: "42" },
    method: "GET",
    path: "/api/v2/repos/acme?per_page=2&provider=github&repo_id=42",
    answer: {
      status: 200,
      body: {
        page: 1,
        per_page: 2,
        total_pages: 1,
        total_count: 1,
        repos: [{ name: "r", url: "u", repo_id: "42", _links: { self_link: { href: "h" } } }],
      },
    },
    understood: {
      page: 1,
      perPage: 2,
      totalPages: 1,
      totalCount: 1,
      repos: [{ name: "r", url: "u", repoId: "42", _links: { self_link: { href: "h" } } }],
    },
  },
  putFlowAction: {
    request: {
      body: {
        name: "tell",
        targets: [{ type: "WEBHOOK", webhook: "https://hooks.example/x", payloadVersion: "1.0" }],
        triggers: ["ON_ATTESTATION"],
      },
    },
    method: "PUT",
    path: "/api/v2/actions/acme/flows",
    body: {
      name: "tell",
      targets: [{ type: "WEBHOOK", webhook: "https://hooks.example/x", payload_version: "1.0" }],
      triggers: ["ON_ATTESTATION"],
    },
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  reportArtifact: {
    request: {
      flowName: "web",
      body: {
        fingerprint: FINGERPRINT,
        filename: "app.tgz",
        buildUrl: "https://ci.example/1",
        commitUrl: "https://git.example/c",
        commitsList: [{ sha1: "b".repeat(40), signatureState: "VALID" }],
      },
    },
    method: "POST",
    path: "/api/v2/artifacts/acme/web",
    body: {
      fingerprint: FINGERPRINT,
      filename: "app.tgz",
      build_url: "https://ci.example/1",
      commit_url: "https://git.example/c",
      commits_list: [{ sha1: "b".repeat(40), signature_state: "VALID" }],
    },
    answer: { status: 201, body: { message: "OK" } },
    understood: { message: "OK" },
  },
  reportK8S: {
    request: {
      envName: "prod",
      body: {
        artifacts: [
          {
            podName: "p",
            namespace: "n",
            digests: { "r/image_name": FINGERPRINT },
            creationTimestamp: 1,
            owners: [{ apiVersion: "v1", kind: "ReplicaSet", name: "r", uid: "u", controller: true }],
          },
        ],
      },
    },
    method: "PUT",
    path: "/api/v2/environments/acme/prod/report/K8S",
    body: {
      artifacts: [
        {
          podName: "p",
          namespace: "n",
          digests: { "r/image_name": FINGERPRINT },
          creationTimestamp: 1,
          owners: [{ apiVersion: "v1", kind: "ReplicaSet", name: "r", uid: "u", controller: true }],
        },
      ],
    },
    answer: { status: 200, body: "Report processed successfully, no new snapshots to create" },
    understood: "Report processed successfully, no new snapshots to create",
  },
};

import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { signed } from "./signed-token.ts";

type Claims = Readonly<Record<string, unknown>>;

export interface CiSystem {
  /** Issuer of its tokens. */
  readonly issuer: string;
  /** The claims of a token as the system documents them, of a push to main. */
  readonly claims: Claims;
  /** Fields of a trust policy for it, by name. */
  readonly policy: Readonly<Record<string, unknown>>;
  /** Ids that the first use stores. */
  readonly ids: Readonly<Record<string, string>>;
  /** Audience of all its tokens, if it is fixed. */
  readonly audience?: string;
}

export const SHA = "714a629c0b401fdce83e847fc9589983fc6f46bc";

const AZURE_ORG = "0ca3ddd9-f0b0-4635-a98c-5866526961b6";
const CIRCLECI_ORG = "a64b0a19-f221-4291-b000-8d24bd842b72";

export const CI_SYSTEMS = {
  gitlab: {
    issuer: "https://gitlab.example.com",
    claims: {
      namespace_id: "72",
      namespace_path: "my-group",
      project_id: "20",
      project_path: "my-group/my-project",
      user_id: "1",
      user_login: "sample-user",
      user_email: "sample-user@example.com",
      user_access_level: "developer",
      pipeline_id: "574",
      pipeline_source: "push",
      job_id: "302",
      ref: "main",
      ref_type: "branch",
      ref_path: "refs/heads/main",
      ref_protected: "true",
      runner_id: 1,
      runner_environment: "self-hosted",
      sha: SHA,
      project_visibility: "public",
      ci_config_ref_uri: "gitlab.example.com/my-group/my-project//.gitlab-ci.yml@refs/heads/main",
      ci_config_sha: SHA,
      sub: "project_path:my-group/my-project:ref_type:branch:ref:main",
      jti: "random",
    },
    policy: { project: "my-group/my-project" },
    ids: { namespace_id: "72", project_id: "20" },
  },
  azure: {
    issuer: `https://vstoken.dev.azure.com/${AZURE_ORG}`,
    claims: {
      jti: "random",
      sub: "p://example/test-oidc/build",
      org_id: AZURE_ORG,
      prj_id: "271ef6f7-5998-4b0f-86fb-4b54d9129990",
      def_id: "17",
      rpo_id: "5b2a1c0e-9f6d-4b1a-8a8e-52e1a77e3f10",
      rpo_uri: "https://dev.azure.com/example/test-oidc/_git/test-oidc",
      rpo_ver: SHA,
      rpo_ref: "refs/heads/main",
      run_id: "5",
    },
    policy: { project: "example/test-oidc/build", claims: { rpo_ref: "refs/heads/main" } },
    ids: { org_id: AZURE_ORG, prj_id: "271ef6f7-5998-4b0f-86fb-4b54d9129990", def_id: "17" },
    audience: "api://AzureADTokenExchange",
  },
  circleci: {
    issuer: `https://oidc.circleci.com/org/${CIRCLECI_ORG}`,
    claims: {
      "oidc.circleci.com/context-ids": ["a74579f1-2e7d-451e-b009-5c082ad2729e"],
      "oidc.circleci.com/job-id": "1f2e3d4c-5b6a-4978-8695-a4b3c2d1e0f9",
      "oidc.circleci.com/org-id": CIRCLECI_ORG,
      "oidc.circleci.com/pipeline-definition-id": "17c50866-1802-5aeb-874e-7f4dfce1b6b5",
      "oidc.circleci.com/pipeline-id": "cd267951-f409-44fc-a0f0-81512f5840b0",
      "oidc.circleci.com/project-id": "5a301f56-eaa7-4cce-9441-37810f7c8452",
      "oidc.circleci.com/ssh-rerun": false,
      "oidc.circleci.com/vcs-origin": "github.com/acme/web",
      "oidc.circleci.com/vcs-ref": "refs/heads/main",
      "oidc.circleci.com/vcs-sha": SHA,
      "oidc.circleci.com/workflow-id": "2b3c4d5e-6f7a-4b8c-9d0e-1f2a3b4c5d6e",
      sub: `org/${CIRCLECI_ORG}/project/5a301f56-eaa7-4cce-9441-37810f7c8452/user/5e6f7a8b-9c0d-4e1f-a2b3-c4d5e6f7a8b9`,
    },
    policy: { project: "github.com/acme/web" },
    ids: {
      "oidc.circleci.com/org-id": CIRCLECI_ORG,
      "oidc.circleci.com/project-id": "5a301f56-eaa7-4cce-9441-37810f7c8452",
    },
  },
  buildkite: {
    issuer: "https://agent.buildkite.com",
    claims: {
      sub: `organization:acme-inc:pipeline:super-duper-app:ref:refs/heads/main:commit:${SHA}:step:build`,
      organization_slug: "acme-inc",
      organization_id: "0184990a-477b-4fa8-9968-496074483a77",
      pipeline_slug: "super-duper-app",
      pipeline_id: "0184990a-4782-42b5-afc1-16715b10b1f0",
      build_number: 5,
      build_branch: "main",
      build_tag: null,
      build_commit: SHA,
      step_key: "build",
      job_id: "0184990a-477b-4fa8-9968-496074483cee",
      agent_id: "0184990a-4782-42b5-afc1-16715b10b8ff",
      build_source: "webhook",
      runner_environment: "self-hosted",
      jti: "random",
    },
    policy: { project: "acme-inc/super-duper-app" },
    ids: {
      organization_id: "0184990a-477b-4fa8-9968-496074483a77",
      pipeline_id: "0184990a-4782-42b5-afc1-16715b10b1f0",
    },
  },
  bitbucket: {
    issuer: "https://api.bitbucket.org/2.0/workspaces/acme/pipelines-config/identity/oidc",
    claims: {
      sub: "{5f3c9a3e-b1ee-4f0a-9d2c-57d3d1a6a4e1}:{0d7e6f1a-2b3c-4d5e-8f90-a1b2c3d4e5f6}",
      stepUuid: "{0d7e6f1a-2b3c-4d5e-8f90-a1b2c3d4e5f6}",
      repositoryUuid: "{5f3c9a3e-b1ee-4f0a-9d2c-57d3d1a6a4e1}",
      pipelineUuid: "{7c8d9e0f-1a2b-4c3d-8e4f-5a6b7c8d9e0f}",
      workspaceUuid: "{2e1d0c9b-8a7f-4e6d-9c5b-4a3f2e1d0c9b}",
      branchName: "main",
    },
    policy: {
      project: "acme/web",
      project_ids: { repositoryUuid: "{5f3c9a3e-b1ee-4f0a-9d2c-57d3d1a6a4e1}" },
    },
    ids: { repositoryUuid: "{5f3c9a3e-b1ee-4f0a-9d2c-57d3d1a6a4e1}" },
  },
} satisfies Record<string, CiSystem>;

export type CiName = keyof typeof CI_SYSTEMS;

export const CI_NAMES = Object.keys(CI_SYSTEMS) as CiName[];

export interface CiIssuer {
  readonly jwks: { readonly keys: readonly object[] };
  readonly publicKey: KeyObject;
  /** Signs a token of the system with these claims instead of the documented ones. Undefined omits a claim. */
  token(name: CiName, claims: Claims, signing?: { header?: object; key?: KeyObject }): string;
}

/** The keys of all five systems. */
export function ciIssuer(now: () => number): CiIssuer {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jwk = createPublicKey(privateKey).export({ format: "jwk" });
  return {
    jwks: { keys: [{ ...jwk, kid: "ci", alg: "RS256", use: "sig" }] },
    publicKey,
    token(name, claims, { header = {}, key = privateKey } = {}) {
      const { issuer, claims: documented, audience }: CiSystem = CI_SYSTEMS[name];
      const jti = "jti" in documented ? { jti: randomUUID() } : {};
      const times = { iat: now(), nbf: now(), exp: now() + 300 };
      const fixed = audience === undefined ? {} : { aud: audience };
      const payload = { iss: issuer, ...documented, ...jti, ...times, ...claims, ...fixed };
      const head = { alg: "RS256", typ: "JWT", kid: "ci", ...header };
      return signed(head, claims["aud"] === undefined ? payload : { ...payload, ...claims }, key);
    },
  };
}

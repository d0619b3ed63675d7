import { type CloudAnswer, type CloudInternet, type CloudRequest, cloudInternet } from "./cloud-internet.ts";

export const PROVIDER = "projects/42/locations/global/workloadIdentityPools/ci/providers/github";
export const ACCOUNT = "reporter@shop.iam.gserviceaccount.com";
export const FEDERATED = "federated-token-of-google";
export const IMPERSONATED = "impersonated-token-of-google";

/** State of the fake. Tests replace single lists. */
export interface GoogleState {
  services: unknown[];
  jobs: unknown[];
  revisions: unknown[];
  /** Digest by `HOST/PATH:TAG`. */
  manifests: Record<string, string>;
  /** Tags by ID of a Docker image in Artifact Registry. */
  tags: Record<string, string[]>;
  /** Items of a page. */
  pageSize: number;
  /** Tokens that may read Cloud Run. */
  tokens: string[];
  /** Answers instead, unless it returns undefined. */
  instead: (request: CloudRequest) => CloudAnswer | undefined;
}

const HOSTS = ["*.googleapis.com", "*.pkg.dev", "gcr.io"];

/** Google's token services, Cloud Run, Artifact Registry and its Docker registry. */
export async function fakeGoogle(
  state: Partial<GoogleState>,
): Promise<CloudInternet & { state: GoogleState }> {
  const full: GoogleState = {
    ...{ services: [], jobs: [], revisions: [], manifests: {}, tags: {} },
    ...{ pageSize: 100, tokens: [FEDERATED], instead: () => undefined },
    ...state,
  };
  const internet = await cloudInternet(HOSTS, (request) => full.instead(request) ?? answerOf(request, full));
  return { ...internet, state: full };
}

function answerOf(request: CloudRequest, state: GoogleState): CloudAnswer {
  const { host, path, query, headers } = request;
  const token = String(headers["authorization"] ?? "").replace(/^Bearer /, "");
  if (host === "sts.googleapis.com" || host === "oauth2.googleapis.com")
    return { body: { access_token: FEDERATED, token_type: "Bearer", expires_in: 3599 } };
  if (host === "iamcredentials.googleapis.com")
    return token === FEDERATED && path === `/v1/projects/-/serviceAccounts/${ACCOUNT}:generateAccessToken`
      ? { body: { accessToken: IMPERSONATED, expireTime: "2026-11-26T23:00:00Z" } }
      : refused(403, "PERMISSION_DENIED", "may not act as it");
  if (!state.tokens.includes(token)) return refused(401, "UNAUTHENTICATED", "Invalid credentials");
  if (host === "run.googleapis.com") {
    const kind = path.endsWith("/jobs") ? "jobs" : "services";
    if (path !== `/v2/projects/shop/locations/europe-west1/${kind}`) return refused(404, "NOT_FOUND", path);
    const { items, next } = pageOf(state[kind], query.get("pageToken"), state.pageSize);
    return { body: { [kind]: items, ...(next && { nextPageToken: next }) } };
  }
  if (host === "europe-west1-run.googleapis.com") {
    const { items, next } = pageOf(state.revisions, query.get("continue"), state.pageSize);
    return { body: { kind: "RevisionList", metadata: next ? { continue: next } : {}, items } };
  }
  if (host === "artifactregistry.googleapis.com") {
    const tags = state.tags[decodeURIComponent(path.split("/").at(-1) ?? "")];
    return tags ? { body: { tags } } : refused(404, "NOT_FOUND", path);
  }
  const [, repository, tag] = /^\/v2\/(.+)\/manifests\/(.+)$/.exec(path) ?? [];
  const digest = state.manifests[`${host}/${repository}:${tag}`];
  return digest === undefined
    ? { status: 404 }
    : { headers: { "docker-content-digest": `sha256:${digest}` } };
}

function pageOf(list: readonly unknown[], position: string | null, size: number) {
  const start = Number(position ?? 0);
  const end = start + size;
  return { items: list.slice(start, end), next: end < list.length ? String(end) : "" };
}

export function refused(code: number, status: string, message: string, reason?: string): CloudAnswer {
  const details = reason && [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason }];
  return { status: code, body: { error: { code, status, message, ...(details && { details }) } } };
}

export const service = (name: string, traffic: unknown[], latest = `${name}-00002`) => ({
  name: `projects/shop/locations/europe-west1/services/${name}`,
  traffic,
  latestReadyRevision: `projects/shop/locations/europe-west1/services/${name}/revisions/${latest}`,
});

export const revision = (name: string, images: string[], imageDigest?: string) => ({
  metadata: { name, creationTimestamp: "2026-11-20T10:00:00.123456Z" },
  spec: { containers: images.map((image) => ({ image })) },
  status: { ...(imageDigest && { imageDigest }) },
});

export const job = (name: string, image: string) => ({
  name: `projects/shop/locations/europe-west1/jobs/${name}`,
  createTime: "2026-11-21T00:00:00Z",
  template: { template: { containers: [{ image }] } },
});

import type { ServerResponse } from "node:http";
import { httpServer, type Received } from "../api/local-server.ts";

export const TOKEN = "ghs_of_the_job";

/** Replaces GitHub's response for a list or a record. */
interface Refusal {
  readonly status: number;
  readonly message: string;
}

export interface FakeAttestations {
  readonly url: string;
  /** Requests, with the account and the body. */
  readonly received: readonly Received[];
  /** Attestations listed for an artifact, by its digest: inline bundles, or their addresses. */
  readonly listed: Map<string, readonly unknown[]>;
  /** Whether it also lists the attestations of several artifacts of an organization in one response. */
  hasSharedList?: boolean;
  /** Bundles in external storage, by path. */
  readonly stored: Map<string, Buffer>;
  /** Created records, by organization. */
  readonly records: unknown[];
  refusal?: Refusal;
  /** The deployment whose record it rejects. */
  refused?: string;
  /** Requests about whole clusters that it has, in the order of GitHub's releases. Default: none, as on older servers. */
  clusterRequests?: "set" | "jobs";
  /** States of a cluster's job at each look; the last one stays. */
  readonly jobStates: string[];
  /** Number of times that another job of the cluster is still running. */
  busy: number;
  /** Requests that set the records of a cluster. */
  readonly sets: { readonly cluster: string; readonly job: boolean; readonly body: unknown }[];
}

/** A real server that lists attestations and accepts artifact records as GitHub does, until the test ends. */
export async function fakeAttestations(): Promise<FakeAttestations> {
  const server = await httpServer((response, request) => respond(response, request));

  function respond(response: ServerResponse, request: Received): void {
    const { method, path, headers, body } = request;
    const { pathname } = new URL(path, "http://github");
    const decodedPath = decodeURIComponent(pathname);
    const answer = (status: number, data: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(data));
    const stored = github.stored.get(decodedPath);
    if (stored !== undefined) {
      // GitHub's storage must not receive its tokens.
      if (headers.authorization !== undefined) answer(400, { message: "an authorization" });
      else response.writeHead(200, { "content-type": "application/x-snappy" }).end(stored);
      return;
    }
    if (github.refusal) return void answer(github.refusal.status, { message: github.refusal.message });
    if (!headers.authorization?.endsWith(TOKEN)) return void answer(401, { message: "Bad credentials" });
    const [, digest] =
      /^\/repos\/[\w.-]+\/[\w.-]+\/attestations\/sha256:([0-9a-f]{64})$/.exec(decodedPath) ?? [];
    const listed = digest === undefined ? undefined : github.listed.get(digest);
    if (listed !== undefined) return void answer(200, { attestations: listed });
    if (github.hasSharedList && /^\/orgs\/[\w-]+\/attestations\/bulk-list$/.test(decodedPath)) {
      const asked: string[] = JSON.parse(body.toString()).subject_digests;
      const lists = asked.map((each) => [each, github.listed.get(each.replace("sha256:", "")) ?? null]);
      const page_info = { has_next: false, has_previous: false };
      return void answer(200, { attestations_subject_digests: Object.fromEntries(lists), page_info });
    }
    if (github.clusterRequests !== undefined && answerCluster(decodedPath, request, answer)) return;
    const [, org, kind] = /^\/orgs\/([\w-]+)\/artifacts\/metadata\/(\w+)-record$/.exec(decodedPath) ?? [];
    if (org !== undefined && method === "POST") {
      const record = { org, kind, ...JSON.parse(body.toString()) };
      if (github.refused !== undefined && record.deployment_name === github.refused)
        return void answer(422, { message: "Validation Failed" });
      github.records.push(record);
      return void answer(200, { total_count: 1 });
    }
    answer(404, { message: "Not Found" });
  }

  /** Answers a request about a whole cluster. False for any other request. */
  function answerCluster(
    path: string,
    { method, body }: Received,
    answer: (status: number, data: unknown) => void,
  ): boolean {
    const [, cluster, rest = ""] =
      /^\/orgs\/[\w-]+\/artifacts\/metadata\/deployment-record\/cluster\/([^/]+)(\/jobs(?:\/\d+)?)?$/.exec(
        path,
      ) ?? [];
    if (cluster === undefined || (rest !== "" && github.clusterRequests === "set")) return false;
    if (method === "GET") {
      const status = github.jobStates.length > 1 ? github.jobStates.shift() : github.jobStates[0];
      answer(200, { job_id: 42, status, total_count: 3 });
      return true;
    }
    if (rest !== "" && github.busy > 0) {
      github.busy--;
      answer(409, { message: "a job is running" });
      return true;
    }
    const sent = JSON.parse(body.toString());
    github.sets.push({ cluster, job: rest !== "", body: sent });
    const isRejected = (each: { deployment_name: string }) => each.deployment_name === github.refused;
    const errors = sent.deployments.filter(isRejected).map(() => ({ name: "app", cause: "unauthorized" }));
    if (rest !== "") answer(202, { job_id: 42, errors });
    else
      answer(errors.length > 0 ? 207 : 200, { total_count: sent.deployments.length - errors.length, errors });
    return true;
  }

  const github: FakeAttestations = {
    url: server.url,
    received: server.received,
    listed: new Map(),
    stored: new Map(),
    records: [],
    jobStates: ["completed"],
    busy: 0,
    sets: [],
  };
  return github;
}

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
  /** Bundles in external storage, by path. */
  readonly stored: Map<string, Buffer>;
  /** Created records, by organization. */
  readonly records: unknown[];
  refusal?: Refusal;
  /** The deployment whose record it rejects. */
  refused?: string;
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

  const github: FakeAttestations = {
    url: server.url,
    received: server.received,
    listed: new Map(),
    stored: new Map(),
    records: [],
  };
  return github;
}

import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type Answer, httpServer, json, type LocalServer, type Received } from "../../api/local-server.ts";

/** The bytes of an image index for two platforms, as a registry stores them. */
export const INDEX = JSON.stringify({
  schemaVersion: 2,
  mediaType: "application/vnd.oci.image.index.v1+json",
  manifests: [
    { digest: `sha256:${"a".repeat(64)}`, platform: { os: "linux", architecture: "amd64" } },
    { digest: `sha256:${"b".repeat(64)}`, platform: { os: "linux", architecture: "arm64" } },
  ],
});
export const DIGEST = createHash("sha256").update(INDEX).digest("hex");

/** A registry's response with the index. Node omits the body of a response to HEAD. */
export function manifest(
  response: ServerResponse,
  headers: Record<string, string> = { "docker-content-digest": `sha256:${DIGEST}` },
  content: string = INDEX,
): void {
  response.writeHead(200, { "content-type": "application/vnd.oci.image.index.v1+json", ...headers });
  response.end(content);
}

export interface TestRegistry extends LocalServer {
  /** `127.0.0.1:PORT/acme/app:1` */
  readonly image: string;
  /** `127.0.0.1:PORT` */
  readonly host: string;
  /** Requests, such as `HEAD /v2/acme/app/manifests/1`. */
  requests(): string[];
}

export async function registry(answer: Answer): Promise<TestRegistry> {
  const server = await httpServer(answer);
  const host = `127.0.0.1:${server.port}`;
  const requests = () => server.received.map(({ method, path }) => `${method} ${path}`);
  return { ...server, host, image: `${host}/acme/app:1`, requests };
}

const TOKEN = "a.registry-token";

/** A registry that requires a token, and issues one for a request that `grants` accepts. */
export async function tokenRegistry(
  grants: (request: Received) => boolean,
  { challenge, given = { token: TOKEN } }: { challenge?: string; given?: unknown } = {},
): Promise<TestRegistry> {
  return registry((response, request) => {
    const realm = `http://${request.headers.host}/token`;
    if (request.path.startsWith("/token")) {
      json(response, grants(request) ? 200 : 401, grants(request) ? given : { details: "incorrect" });
    } else if (request.headers.authorization === `Bearer ${TOKEN}`) {
      manifest(response);
    } else {
      const standard = `Bearer realm="${realm}",service="reg",scope="repository:acme/app:pull"`;
      json(response, 401, {}, { "www-authenticate": challenge ?? standard });
    }
  });
}

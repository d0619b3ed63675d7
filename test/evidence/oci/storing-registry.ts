import { createHash } from "node:crypto";
import { httpServer, json, type Received } from "../../api/local-server.ts";

interface Behavior {
  /** Whether it has the Referrers API, and so reports the subject of a manifest. */
  readonly hasReferrers?: boolean;
  /** Status of a refusal; undefined to serve the request. */
  readonly refuses?: (request: Received) => number | undefined;
  /** Address before the path of an upload. */
  readonly uploadsAt?: string;
}

export interface StoringRegistry {
  /** `127.0.0.1:PORT` */
  readonly host: string;
  readonly received: readonly Received[];
  /** Requests, such as `HEAD /v2/acme/app/manifests/1`. */
  requests(): string[];
}

/** A registry on this machine that stores pushed images and requires this login. */
export async function storingRegistry(
  login: string,
  { hasReferrers = false, refuses = () => undefined, uploadsAt = "" }: Behavior = {},
): Promise<StoringRegistry> {
  const stored = new Map<string, { type: string; body: Buffer }>();
  const { port, received } = await httpServer((response, request) => {
    const { method, path, headers, body } = request;
    const given = headers.authorization;
    const status = refuses(request);
    if (given !== `Basic ${Buffer.from(login).toString("base64")}`) {
      json(response, 401, {}, { "www-authenticate": 'Basic realm="test"' });
    } else if (status !== undefined) {
      json(response, status, {});
    } else if (method === "POST" && path.endsWith("/blobs/uploads/")) {
      json(response, 202, {}, { location: `${uploadsAt}${path}1?state=x` });
    } else if (method === "PUT" && path.includes("/blobs/uploads/")) {
      const [repository = "", query] = path.split("blobs/uploads/1?");
      const digest = new URLSearchParams(query).get("digest");
      if (digest !== digestOf(body)) return json(response, 400, {});
      stored.set(`${repository}blobs/${digest}`, { type: "application/octet-stream", body });
      json(response, 201, {});
    } else if (method === "PUT") {
      const type = headers["content-type"] ?? "";
      stored.set(path, { type, body });
      stored.set(path.replace(/[^/]*$/, digestOf(body)), { type, body });
      const { subject } = JSON.parse(body.toString());
      json(response, 201, {}, hasReferrers && subject ? { "oci-subject": subject.digest } : {});
    } else {
      const found = stored.get(path);
      const isWanted = path.includes("/blobs/") || headers.accept?.includes(found?.type ?? "");
      if (!found || !isWanted) return json(response, 404, {});
      response.writeHead(200, { "content-type": found.type, "docker-content-digest": digestOf(found.body) });
      response.end(found.body);
    }
  });
  const requests = () => received.map(({ method, path }) => `${method} ${path}`);
  return { host: `127.0.0.1:${port}`, received, requests };
}

function digestOf(content: Buffer): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";
import type { ClientRequest } from "../../net/client.ts";
import type { Credentials } from "./credentials.ts";
import { encodedPart } from "./encoded-part.ts";

const EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const ALGORITHM = "AWS4-HMAC-SHA256";

interface Signing {
  readonly credentials: Credentials;
  /** Such as `lambda`. */
  readonly service: string;
  readonly region: string;
  /** Digest of the body in hex; absent without one. */
  readonly sha256?: string | undefined;
}

/** Keys by day, region and service, because each is made of four others. */
const known = new WeakMap<Credentials, Map<string, KeyObject>>();

/** Signs a request with Signature Version 4, which is valid for a few minutes. */
export function signed(
  { operation, method, url, headers }: Pick<ClientRequest, "operation" | "method" | "url" | "headers">,
  { credentials, service, region, sha256 = EMPTY_SHA256 }: Signing,
): ClientRequest {
  const { accessKeyId, sessionToken } = credentials;
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
  const sent: Record<string, string> = {
    ...headers,
    "x-amz-content-sha256": sha256,
    "x-amz-date": time,
    ...(sessionToken !== undefined && { "x-amz-security-token": sessionToken }),
  };
  const signedHeaders: Record<string, string> = { ...sent, host: url.host };
  const names = Object.keys(signedHeaders).sort();
  const path = url.pathname.split("/").map((segment) => encodedPart(decodeURIComponent(segment)));
  const query = [...url.searchParams]
    .map(([name, value]) => [encodedPart(name), encodedPart(value)] as const)
    .sort(([a, x], [b, y]) => (a < b || (a === b && x < y) ? -1 : 1));
  const canonical = [
    method,
    // Every service but S3 expects it encoded twice.
    (service === "s3" ? path : path.map(encodedPart)).join("/"),
    query.map((pair) => pair.join("=")).join("&"),
    ...names.map((name) => `${name}:${signedHeaders[name]}`),
    "",
    names.join(";"),
    sha256,
  ].join("\n");
  const text = [ALGORITHM, time, scope, hash("sha256", canonical)].join("\n");
  const signature = hmac(keyOf(credentials, scope), text).toString("hex");
  const authorization = `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return {
    ...(operation !== undefined && { operation }),
    ...{ method, url, headers: { ...sent, authorization } },
  };
}

function keyOf(credentials: Credentials, scope: string): KeyObject {
  const keys = known.get(credentials) ?? new Map<string, KeyObject>();
  known.set(credentials, keys);
  const secret = Buffer.from(`AWS4${credentials.secretAccessKey}`);
  const key = keys.get(scope) ?? createSecretKey(scope.split("/").reduce<Buffer>(hmac, secret));
  keys.set(scope, key);
  return key;
}

function hmac(key: Buffer | KeyObject, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

import { AwsV4Signer } from "aws4fetch";
import type { ClientRequest } from "../../net/client.ts";
import type { Credentials } from "./credentials.ts";

const EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

interface Signing {
  readonly credentials: Credentials;
  /** Such as `lambda`. */
  readonly service: string;
  readonly region: string;
  /** Digest of the body in hex; absent without one. */
  readonly sha256?: string | undefined;
}

/** Keys of a day, region and service, which take four hashes to derive. */
const derived = new WeakMap<Credentials, Map<string, ArrayBuffer>>();

/** Signs a request with Signature Version 4, which is valid for a few minutes. */
export async function signed(
  { operation, method, url, headers }: Pick<ClientRequest, "operation" | "method" | "url" | "headers">,
  { credentials, service, region, sha256 = EMPTY_SHA256 }: Signing,
): Promise<ClientRequest> {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const cache = derived.get(credentials) ?? new Map<string, ArrayBuffer>();
  derived.set(credentials, cache);
  const made = await new AwsV4Signer({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    url: url.href,
    method,
    headers: { ...headers, "x-amz-content-sha256": sha256 },
    service,
    region,
    cache,
  }).sign();
  return {
    ...(operation !== undefined && { operation }),
    method,
    url: made.url,
    headers: Object.fromEntries(made.headers),
  };
}

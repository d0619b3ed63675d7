import { InputError } from "../api/client/errors.ts";
import { type ImageReference, MANIFEST_TYPES, parseImageReference } from "../evidence/oci/reference.ts";
import { headerOf } from "../net/headers.ts";
import type { Cloud } from "./cloud.ts";

/** Undefined for a name that no image has. */
export function imageReference(image: string): ImageReference | undefined {
  try {
    return parseImageReference(image);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** Refusals and redirects, after which the digest stays unknown. */
const UNREADABLE = [301, 302, 307, 308, 400, 401, 403, 404];

/**
 * The digest of a tag in a cloud's own registry, in hex. Undefined if the registry refuses to return it.
 *
 * @param authorization the header, which only that registry gets
 * @throws RemoteFault if the registry fails or cannot be reached
 */
export async function manifestDigest(
  cloud: Cloud,
  { registry, repository, tag = "latest" }: ImageReference,
  authorization: string,
): Promise<string | undefined> {
  const url = new URL(`https://${registry}/v2/${repository}/manifests/${tag}`);
  const headers = { accept: MANIFEST_TYPES, authorization };
  const request = { operation: registry, method: "HEAD", url, headers } as const;
  const answer = await cloud.ask(() => request, { answers: UNREADABLE });
  return /^sha256:([0-9a-f]{64})$/.exec(headerOf(answer, "docker-content-digest") ?? "")?.[1];
}

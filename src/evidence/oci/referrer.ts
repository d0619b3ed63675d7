import { hash } from "node:crypto";
import { ProtocolError } from "../../api/client/errors.ts";
import { parseJson } from "../../api/json.ts";
import { asObject, asText, type Untyped } from "../../api/untyped.ts";
import { bodyOf } from "../../net/body.ts";
import { headerOf } from "../../net/headers.ts";
import { type ImageReference, imageName, OCI_INDEX, OCI_MANIFEST } from "./reference.ts";
import { atRepository, digestOfContent, type RegistryOptions, type Repository } from "./registry.ts";

const EMPTY = "application/vnd.oci.empty.v1+json";

/** A file about an image. */
export interface Referrer {
  readonly mediaType: string;
  readonly content: string;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Image extends ImageReference {
  readonly digest: string;
}

/**
 * Pushes a file beside an image, as a manifest that refers to it (OCI distribution 1.1). The same file results in the
 * same manifest.
 *
 * @returns the digest of the manifest, as `sha256:…`
 * @throws as `fingerprintImage` does
 */
export function pushReferrer(
  image: Image,
  { mediaType, content, annotations }: Referrer,
  options: RegistryOptions,
): Promise<string> {
  return atRepository(image, { ...options, push: true }, async (repository) => {
    const found = await repository.read();
    if (digestOfContent(found, repository) !== image.digest) {
      throw new ProtocolError({
        what: `${repository.host} returned another manifest for '${imageName(image)}'`,
      });
    }
    const subject = descriptorOf(
      asText(contentOf(found)["mediaType"]) || headerOf(found, "content-type"),
      found.bytes,
    );
    const manifest = JSON.stringify({
      schemaVersion: 2,
      mediaType: OCI_MANIFEST,
      artifactType: mediaType,
      config: await pushBlob(repository, EMPTY, "{}"),
      layers: [await pushBlob(repository, mediaType, content)],
      subject,
      annotations,
    });
    const entry = { ...descriptorOf(OCI_MANIFEST, manifest), artifactType: mediaType, annotations };
    const pushed = await repository.done({
      method: "PUT",
      to: `manifests/${entry.digest}`,
      body: bodyOf(OCI_MANIFEST, manifest),
    });
    if (headerOf(pushed, "oci-subject") === undefined) await listReferrer(repository, image, entry);
    return entry.digest;
  });
}

function descriptorOf(mediaType: string | undefined, content: string | Uint8Array) {
  return { mediaType, digest: `sha256:${hash("sha256", content)}`, size: Buffer.byteLength(content) };
}

async function pushBlob(repository: Repository, mediaType: string, content: string) {
  const blob = descriptorOf(mediaType, content);
  const { status } = await repository.ask({ method: "HEAD", to: `blobs/${blob.digest}` });
  if (status !== 200) {
    const to = repository.next(await repository.done({ method: "POST", to: "blobs/uploads/" }));
    to.searchParams.set("digest", blob.digest);
    await repository.done({ method: "PUT", to, body: bodyOf("application/octet-stream", content) });
  }
  return blob;
}

/** Adds a referrer to the index that replaces the Referrers API in registries without it. */
async function listReferrer(
  repository: Repository,
  { digest }: Image,
  entry: { readonly digest: string },
): Promise<void> {
  const to = `manifests/sha256-${digest}`;
  const found = await repository.ask({ method: "GET", to });
  if (found.status !== 404) repository.check(found);
  const index = found.status === 404 ? { manifests: [] } : contentOf(found);
  const { manifests } = index;
  if (!Array.isArray(manifests)) {
    throw new ProtocolError({
      what: `The tag 'sha256-${digest}' in ${repository.host} is not a list of referrers`,
    });
  }
  if (manifests.some((each) => asObject(each)["digest"] === entry.digest)) return;
  const content = { schemaVersion: 2, mediaType: OCI_INDEX, ...index, manifests: [...manifests, entry] };
  await repository.done({ method: "PUT", to, body: bodyOf(OCI_INDEX, JSON.stringify(content)) });
}

function contentOf({ bytes }: { readonly bytes: Buffer }): Untyped {
  return asObject(parseJson(bytes.toString())?.value);
}

import { InputError } from "../../api/client/errors.ts";
import { asText, type Untyped } from "../../api/untyped.ts";
import { type ImageReference, imageName, parseImageReference } from "../oci/reference.ts";

export function repoDigestsOf(image: Untyped): string[] {
  const digests = image["RepoDigests"];
  return Array.isArray(digests) ? digests.map(asText).filter((text) => text !== "") : [];
}

/**
 * A container's digest in its image's repository, else the first one; undefined if no registry has the image.
 *
 * @param image a name, which may include a digest, or an image ID
 */
export function digestOfContainer(image: string, repoDigests: readonly string[]): string | undefined {
  const reference = parsedReference(image);
  if (reference?.digest !== undefined) return reference.digest;
  const known = repoDigests.flatMap(parsed);
  const own = reference && known.find((other) => isSameRepository(other, reference));
  return (own ?? known[0])?.digest;
}

/**
 * The digest in the image's own repository. Repositories may have different digests of one image.
 *
 * @param repoDigests `nginx@sha256:…`, `ghcr.io/owner/app@sha256:…`
 * @throws {InputError} (`artifact`) unless there is exactly one
 */
export function chooseRepoDigest(reference: ImageReference, repoDigests: readonly string[]): string {
  const known = repoDigests.flatMap(parsed);
  const digests = new Set(known.filter((other) => isSameRepository(other, reference)).map((o) => o.digest));
  const [digest, another] = digests;
  const refuse = (why: string, advice: string) =>
    new InputError([{ input: "artifact", problem: `'${imageName(reference)}' ${why}` }], { advice });
  if (digest === undefined) {
    const others = [...new Set(known.map((other) => `${other.registry}/${other.repository}`))];
    const elsewhere = others.length > 0 ? `, but has one in ${others.join(", ")}` : "";
    throw refuse(
      `has no digest in its own repository yet${elsewhere}`,
      "The registry assigns the digest: push the image first, or set `fingerprint` to the digest output of docker/build-push-action.",
    );
  }
  if (another !== undefined) {
    throw refuse(
      `has ${digests.size} digests in its own repository, and the engine does not show which one this tag has`,
      "Use `artifact-type: oci`, which reads the digest from the registry, or set `fingerprint` to the digest.",
    );
  }
  return digest;
}

function parsed(repoDigest: string): (ImageReference & { readonly digest: string })[] {
  const reference = parsedReference(repoDigest);
  return reference?.digest === undefined ? [] : [{ ...reference, digest: reference.digest }];
}

/** Undefined for invalid names: old engines list `<none>@<none>`. */
function parsedReference(text: string): ImageReference | undefined {
  try {
    return parseImageReference(text);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function isSameRepository(one: ImageReference, other: ImageReference): boolean {
  return one.registry.toLowerCase() === other.registry.toLowerCase() && one.repository === other.repository;
}

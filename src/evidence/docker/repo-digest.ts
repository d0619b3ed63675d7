import { InputError } from "../../api/errors.ts";
import { type ImageReference, imageName, parseImageReference } from "../oci/reference.ts";

/**
 * The digest of an image in the repository it was asked for by. An engine lists one for each repository that the
 * image was pushed to or pulled from, and the same image may have another digest in another one.
 *
 * @param repoDigests as the engine lists them: `nginx@sha256:…`, `ghcr.io/owner/app@sha256:…`
 * @throws {InputError} (`artifact`) when there is none, or more than one
 */
export function chooseRepoDigest(reference: ImageReference, repoDigests: readonly string[]): string {
  const known = repoDigests.flatMap((text) => parsed(text) ?? []);
  const digests = new Set(known.filter((other) => isSameRepository(other, reference)).map((o) => o.digest));
  const [digest, another] = digests;
  const refuse = (why: string, advice: string) =>
    new InputError([{ input: "artifact", problem: `'${imageName(reference)}' ${why}` }], { advice });
  if (digest === undefined) {
    const others = [...new Set(known.map((other) => `${other.registry}/${other.repository}`))];
    const elsewhere = others.length > 0 ? `; it has one in ${others.join(", ")}` : "";
    throw refuse(
      `has no digest in that repository yet${elsewhere}`,
      "The registry gives it one: push it first, or give the digest that docker/build-push-action puts out as `fingerprint`.",
    );
  }
  if (another !== undefined) {
    throw refuse(
      `has ${digests.size} digests in that repository, and the engine does not tell which is of this tag`,
      "Use artifact-type: oci, which asks the registry, or give the digest as `fingerprint`.",
    );
  }
  return digest;
}

/** Old engines list `<none>@<none>`, which is no image. */
function parsed(repoDigest: string): (ImageReference & { readonly digest: string })[] | undefined {
  try {
    const reference = parseImageReference(repoDigest);
    const { digest } = reference;
    return digest === undefined ? undefined : [{ ...reference, digest }];
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function isSameRepository(one: ImageReference, other: ImageReference): boolean {
  return one.registry.toLowerCase() === other.registry.toLowerCase() && one.repository === other.repository;
}

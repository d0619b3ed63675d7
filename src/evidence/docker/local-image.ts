import { InputError } from "../../api/client/errors.ts";
import { asObject } from "../../api/untyped.ts";
import { imageName, parseImageReference } from "../oci/reference.ts";
import { Engine, type EngineOptions } from "./engine.ts";
import { chooseRepoDigest, repoDigestsOf } from "./repo-digest.ts";

const USE = { input: "artifact-type", instead: "push the image and use artifact-type: oci" };

/**
 * The digest of a local image in its registry, known once it was pushed or pulled; lower-case hex.
 *
 * @param image `nginx`, `ghcr.io/owner/app:1.2`
 * @throws {InputError} (`artifact`, `artifact-type`) for a missing image, no digest, or an inaccessible engine
 * @throws {NetworkError}, {TimeoutError}, {ProtocolError} for a broken response
 */
export async function fingerprintLocalImage(image: string, options: EngineOptions): Promise<string> {
  const reference = parseImageReference(image);
  if (reference.digest !== undefined) return reference.digest;
  await using engine = await Engine.open(options, USE);
  const answer = await engine.get(`/images/${imageName(reference)}/json`);
  if (answer.headers["libpod-api-version"] !== undefined) throw podmanAnswered(engine.name);
  if (answer.status === 404) {
    throw new InputError(
      [{ input: "artifact", problem: `the Docker engine has no image '${imageName(reference)}'` }],
      { advice: "Build or pull the image in an earlier step, or use artifact-type: oci for a registry." },
    );
  }
  const content = engine.read(answer);
  if (Array.isArray(content)) throw engine.unexpected("", answer.status);
  return chooseRepoDigest(reference, repoDigestsOf(asObject(content)));
}

/**
 * Podman lists a digest for an image that was never pushed. The registry's differs, since pushing compresses the
 * layers.
 */
function podmanAnswered(address: string): InputError {
  const problem = `docker requires a Docker engine, but podman runs at ${address}: the digests it lists may differ from the registry's`;
  return new InputError([{ input: "artifact-type", problem }], {
    advice:
      "Push the image and use `artifact-type: oci`, or set `fingerprint` to the digest that podman push --digestfile writes.",
  });
}

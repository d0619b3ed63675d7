import { asText } from "../../api/untyped.ts";
import type { ImageReference } from "../../evidence/oci/reference.ts";
import { objectIn } from "../answers.ts";
import { imageReference, manifestDigest } from "../manifest-digest.ts";
import { RemoteFault } from "../remote-fault.ts";
import type { Google } from "./google.ts";

const ROLE = "roles/artifactregistry.reader";
/** Google's registries. Others never get the token. */
const REGISTRY = /^((?<location>[a-z0-9-]+)-docker\.|docker\.)pkg\.dev$|^([a-z]+\.)?gcr\.io$/;

/** Digests and names of images, each asked for once. */
export class ImageDigests {
  /** Images whose digest is unknown. */
  readonly unknown = new Set<string>();
  readonly #google: Google;
  readonly #asked = new Map<string, Promise<string | undefined>>();
  readonly #names = new Map<string, Promise<string>>();
  #isWarned = false;

  constructor(google: Google) {
    this.#google = google;
  }

  /**
   * The digest in hex; empty if it is unknown. A tag may have moved since the revision was created, so the registry is
   * asked only for what Cloud Run did not resolve.
   *
   * @param isOnly whether the revision has no other image
   * @param resolved `HOST/PATH@sha256:…` of one image of the revision, or empty
   */
  async digestOf(image: string, isOnly: boolean, resolved: string): Promise<string> {
    const reference = imageReference(image);
    const known = imageReference(resolved);
    const isSame =
      isOnly || (known?.registry === reference?.registry && known?.repository === reference?.repository);
    const digest = reference?.digest ?? (isSame ? known?.digest : undefined);
    if (digest !== undefined) return digest;
    const asked = this.#asked.get(image) ?? this.#ask(reference);
    this.#asked.set(image, asked);
    const answer = await asked;
    if (answer === undefined) this.unknown.add(image);
    return answer ?? "";
  }

  async #ask(reference: ImageReference | undefined): Promise<string | undefined> {
    if (reference === undefined || !REGISTRY.test(reference.registry)) return undefined;
    try {
      return await manifestDigest(this.#google.cloud, reference, `Bearer ${await this.#google.token()}`);
    } catch (error) {
      const url = new URL(`https://${reference.registry}`);
      throw error instanceof RemoteFault ? this.#google.explained(error, { url, role: ROLE }) : error;
    }
  }

  /** The image with its tag instead of its digest, if Artifact Registry has one. The longest tag is the most exact. */
  nameOf(image: string): Promise<string> {
    const name = this.#names.get(image) ?? this.#nameOf(image);
    this.#names.set(image, name);
    return name;
  }

  async #nameOf(image: string): Promise<string> {
    const reference = imageReference(image);
    const location = REGISTRY.exec(reference?.registry ?? "")?.groups?.["location"];
    if (reference?.digest === undefined || reference.tag !== undefined || location === undefined)
      return image;
    const { registry, repository, digest } = reference;
    const [project = "", folder = "", ...path] = repository.split("/");
    const id = encodeURIComponent(`${path.join("/")}@sha256:${digest}`);
    const parent = `projects/${project}/locations/${location}/repositories/${folder}`;
    const url = new URL(`https://artifactregistry.googleapis.com/v1/${parent}/dockerImages/${id}`);
    const answer = await this.#google.ask({ url, role: ROLE, answers: [403, 404] });
    if (answer.status === 403) this.#warn();
    const { tags } = objectIn(answer);
    const texts = (Array.isArray(tags) ? tags : []).map(asText).filter(Boolean);
    const [longest] = texts.sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
    return longest === undefined ? image : `${registry}/${repository}:${longest}`;
  }

  #warn(): void {
    if (this.#isWarned) return;
    this.#isWarned = true;
    this.#google.cloud.options.onWarning(
      `resolve-names: Artifact Registry refused to name images by their tags; give this login the role ${ROLE}`,
    );
  }
}

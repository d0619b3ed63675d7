import { InputError } from "../../api/client/errors.ts";
import { shortened } from "../unusable-path.ts";

/** A complete image name, with Docker's defaults. */
export interface ImageReference {
  /** `docker.io`, `ghcr.io`, `localhost:5000` */
  readonly registry: string;
  /** `library/nginx` */
  readonly repository: string;
  /** Absent only next to a digest. */
  readonly tag?: string | undefined;
  /** 64 lower-case hex digits. */
  readonly digest?: string | undefined;
  /** Written with `http://`: the registry has no TLS. */
  readonly plainHttp: boolean;
}

export const OCI_INDEX = "application/vnd.oci.image.index.v1+json";
export const OCI_MANIFEST = "application/vnd.oci.image.manifest.v1+json";
/** A tag may name an index for several platforms or one image, in OCI's form or Docker's. */
export const MANIFEST_TYPES = [
  OCI_INDEX,
  "application/vnd.docker.distribution.manifest.list.v2+json",
  OCI_MANIFEST,
  "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

export const DOCKER_HUB = "docker.io";
/** Another name of Docker Hub. */
const OLD_HUB = "index.docker.io";
const DEFAULT_TAG = "latest";
const MAX_REPOSITORY_LENGTH = 255;
/** No reference is longer. */
const MAX_LENGTH = 1000;

const REFERENCE = /^(?<name>[^@]+?)(?::(?<tag>\w[\w.-]{0,127}))?(?:@(?<digest>.*))?$/;
const LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
const REGISTRY = new RegExp(`^(?:${LABEL}(?:\\.${LABEL})*|\\[[a-fA-F0-9:]+\\])(?::\\d+)?$`);
const COMPONENT = "[a-z0-9]+(?:(?:\\.|__?|-+)[a-z0-9]+)*";
const REPOSITORY = new RegExp(`^${COMPONENT}(?:/${COMPONENT})*$`);

/**
 * Docker's rules: `nginx` is `docker.io/library/nginx:latest`. The prefix `http://` is ours, for a registry without
 * TLS.
 *
 * @throws {InputError} (`artifact`) for names that Docker's tools refuse too
 */
export function parseImageReference(text: string): ImageReference {
  const given = text.trim();
  const plainHttp = given.startsWith("http://");
  const image = plainHttp ? given.slice("http://".length) : given;
  const shown = shortened(given);
  if (/^https:\/\//i.test(image)) throw refused(shown, "must be an image name without https://");
  if (/^(?:sha256:)?[0-9a-f]{64}$/i.test(image)) {
    const advice = "If the digest is known, set `fingerprint` to it instead of `artifact`.";
    throw refused(shown, "is only a digest, not the name of an image", advice);
  }
  const parts = image.length > MAX_LENGTH ? undefined : REFERENCE.exec(image)?.groups;
  if (!parts) throw refused(shown, "is not the name of an image, such as ghcr.io/owner/app:1.2");
  const { registry, repository } = placeOf(parts["name"] ?? "");
  if (!REGISTRY.test(registry) || !URL.canParse(`https://${registry}`)) {
    throw refused(shown, `has an invalid registry: '${registry}' is not a host`);
  }
  if (!REPOSITORY.test(repository) || repository.length > MAX_REPOSITORY_LENGTH) {
    throw REPOSITORY.test(repository.toLowerCase()) && repository !== repository.toLowerCase()
      ? refused(shown, "must be in lower case, except for the tag")
      : refused(shown, "is not the name of an image, such as ghcr.io/owner/app:1.2");
  }
  const digest = parts["digest"] === undefined ? undefined : sha256Of(parts["digest"], shown);
  const tag = parts["tag"] ?? (digest === undefined ? DEFAULT_TAG : undefined);
  return { registry, repository, tag, digest, plainHttp };
}

export function imageName({ registry, repository, tag, digest }: ImageReference): string {
  const version = tag === undefined ? "" : `:${tag}`;
  return `${registry}/${repository}${version}${digest === undefined ? "" : `@sha256:${digest}`}`;
}

/** The first part is a registry if it could be a host; otherwise the name is Docker Hub's. */
function placeOf(name: string): { registry: string; repository: string } {
  const slash = name.indexOf("/");
  const first = name.slice(0, Math.max(slash, 0));
  const hasRegistry = first === "localhost" || /[.:]/.test(first);
  const registry = hasRegistry && first !== OLD_HUB ? first : DOCKER_HUB;
  const repository = hasRegistry ? name.slice(slash + 1) : name;
  const official = registry === DOCKER_HUB && !repository.includes("/");
  return { registry, repository: official ? `library/${repository}` : repository };
}

function sha256Of(digest: string, shown: string): string {
  const digits = /^sha256:([0-9a-f]{64})$/i.exec(digest)?.[1];
  if (digits === undefined) throw refused(shown, "has a digest that is not a sha256 of 64 hex digits");
  return digits.toLowerCase();
}

function refused(shown: string, problem: string, advice = ""): InputError {
  return new InputError([{ input: "artifact", problem: `'${shown}' ${problem}` }], { advice });
}

/*
 * Image IDs of container runtimes. Fingerprints are compared with the registry's digest of an image, not with the
 * digest of its configuration, which some runtimes report instead.
 *
 * | imageID                            | digest                                                        |
 * |------------------------------------|---------------------------------------------------------------|
 * | `r/i@sha256:<64>`                  | the 64 digits                                                 |
 * | `docker-pullable://r/i@sha256:<64>`| the 64 digits                                                 |
 * | either in upper case               | the 64 digits in lower case: the same number                  |
 * | `docker://sha256:<64>`             | none: the configuration of an image that was never in a registry |
 * | `sha256:<64>`, `<64>`              | none, for the same reason                                     |
 * | `r/i@sha512:<128>`                 | none: not a sha256, and its end is not one either             |
 * | shorter or longer, empty, no digest| none                                                          |
 */
const REPO_DIGEST = /^[^@]+@sha256:([a-f0-9]{64})$/i;
const BARE_DIGEST = /^(?:[a-z0-9]+:)?[a-f0-9]{32,}$/i;
const DEFAULT_REGISTRY = "docker.io";

/** The lower-case sha256 by which a registry knows the image; undefined if `imageID` lacks it. */
export function repoDigest(imageID: string): string | undefined {
  return REPO_DIGEST.exec(withoutRuntime(imageID))?.[1]?.toLowerCase();
}

/**
 * The runtime's name for an image. If the runtime pulled by digest and has no tagged name, the tagged name in the pod's
 * specification, written in full (`nginx:1.27` is `docker.io/library/nginx:1.27`), so that an image has the same name
 * on every node. Otherwise the image ID.
 */
export function imageName(images: { runtime: string; specified: string; imageID: string }): string {
  if (isNamed(images.runtime)) return images.runtime;
  const imageID = withoutRuntime(images.imageID);
  const tagged = isNamed(images.specified) ? fullTaggedName(images.specified) : undefined;
  return tagged ?? (isNamed(imageID) ? imageID : images.runtime || images.specified || imageID);
}

/** Docker's own runtime reports `docker-pullable://` and `docker://` prefixes. */
function withoutRuntime(imageID: string): string {
  const scheme = imageID.indexOf("://");
  return scheme < 0 ? imageID : imageID.slice(scheme + 3);
}

function isNamed(image: string): boolean {
  return image !== "" && !BARE_DIGEST.test(image);
}

/** The name with registry and tag, without digest; undefined without a tag. */
function fullTaggedName(image: string): string | undefined {
  const [reference = ""] = image.split("@", 1);
  const colon = reference.lastIndexOf(":");
  if (colon <= reference.lastIndexOf("/")) return undefined;
  const slash = reference.indexOf("/");
  const first = reference.slice(0, Math.max(slash, 0));
  // The first part is a registry if it could be a host; otherwise the name is Docker Hub's.
  const hasRegistry = first === "localhost" || /[.:A-Z]/.test(first);
  if (hasRegistry && first !== "index.docker.io") return reference;
  const path = hasRegistry ? reference.slice(slash + 1) : reference;
  return `${DEFAULT_REGISTRY}/${path.includes("/") ? "" : "library/"}${path}`;
}

import { type CredentialFile, credentialFiles } from "./credential-files.ts";
import { askHelper, type HelperSurroundings } from "./credential-helper.ts";
import { DOCKER_HUB, type ImageReference } from "./reference.ts";

/** What `docker login` left for a registry. */
export type Credentials =
  | { readonly kind: "password"; readonly username: string; readonly password: string }
  /** It is exchanged for a token, and is never sent to the registry itself. */
  | { readonly kind: "identity-token"; readonly token: string };

/** Under this address Docker's tools keep what belongs to Docker Hub. */
const HUB_SERVER = "https://index.docker.io/v1/";
/** The user name by which a helper says that its secret is an identity token. */
const TOKEN_USER = "<token>";

/**
 * The credentials for an image, as Docker's tools and podman find them: in their files, or by the helper that a file
 * names. Undefined when there are none: most images can be read without.
 *
 * @throws {InputError} for a file that cannot be read and a helper that fails
 */
export async function credentialsFor(
  reference: ImageReference,
  surroundings: HelperSurroundings,
): Promise<Credentials | undefined> {
  for await (const file of credentialFiles(surroundings.env)) {
    const found = await credentialsIn(file, reference, surroundings);
    if (found) return found;
  }
  return undefined;
}

async function credentialsIn(
  file: CredentialFile,
  reference: ImageReference,
  surroundings: HelperSurroundings,
): Promise<Credentials | undefined> {
  const helper = file.helperFor(reference);
  if (helper !== undefined) {
    const server = reference.registry === DOCKER_HUB ? HUB_SERVER : reference.registry;
    const answer = await askHelper(helper, server, surroundings);
    if (answer) return asCredentials(answer.username, answer.secret);
  }
  const entry = file.entryFor(reference);
  if (entry === undefined) return undefined;
  if (entry.identityToken !== "") return { kind: "identity-token", token: entry.identityToken };
  return asCredentials(entry.username, entry.password);
}

function asCredentials(username: string, password: string): Credentials | undefined {
  if (username === TOKEN_USER) return { kind: "identity-token", token: password };
  return username === "" && password === "" ? undefined : { kind: "password", username, password };
}

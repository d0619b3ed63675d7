import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../api/client/errors.ts";
import { parseJson } from "../../api/json.ts";
import { asObject, asText, isObject, type Untyped } from "../../api/untyped.ts";
import { isMissing, whyUnusable } from "../unusable-path.ts";
import { DOCKER_HUB, type ImageReference } from "./reference.ts";

type Variables = Readonly<Record<string, string>>;

/** One file with logins, of Docker or podman. */
export interface CredentialFile {
  /** The name of the helper that keeps the login, when it is kept by one. */
  helperFor(reference: ImageReference): string | undefined;
  /** The login that the file itself holds. */
  entryFor(reference: ImageReference): CredentialEntry | undefined;
}

interface CredentialEntry {
  readonly username: string;
  readonly password: string;
  /** Empty when there is none. */
  readonly identityToken: string;
}

/**
 * The files there are, in the order in which they are asked: the one that podman's variable names, Docker's own,
 * podman's own.
 *
 * @throws {InputError} for a file that is there and cannot be used: asking without a login would only hide why
 */
export async function* credentialFiles(env: Variables): AsyncGenerator<CredentialFile> {
  for (const path of pathsOf(env)) {
    const content = await contentOf(path);
    if (content !== undefined) yield readCredentialFile(content);
  }
}

function pathsOf(env: Variables): string[] {
  const home = env["HOME"] || env["USERPROFILE"];
  const docker = env["DOCKER_CONFIG"] || (home && join(home, ".docker"));
  const podman = (folder: string | undefined) => folder && join(folder, "containers", "auth.json");
  return [
    env["REGISTRY_AUTH_FILE"],
    docker && join(docker, "config.json"),
    podman(env["XDG_RUNTIME_DIR"]),
    podman(home && join(home, ".config")),
  ].filter((path): path is string => path !== undefined && path !== "");
}

async function contentOf(path: string): Promise<Untyped | undefined> {
  const unusable = (why: string, cause?: unknown) =>
    new InputError(
      [{ input: "artifact", problem: `the file with its registry's login, '${path}', ${why}` }],
      {
        advice: "Log in to the registry in an earlier step, which writes the file anew.",
        cause,
      },
    );
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unusable(whyUnusable(error), error);
  }
  // The parser's own words would show a part of it, and it holds secrets.
  const value = text.trim() === "" ? {} : parseJson(text)?.value;
  if (!isObject(value)) throw unusable("is not a JSON object");
  return value;
}

function readCredentialFile(content: Untyped): CredentialFile {
  const auths = byPlace(asObject(content["auths"]));
  const helpers = byPlace(asObject(content["credHelpers"]));
  return {
    helperFor: (reference) =>
      asText(mostSpecific(helpers, reference)) || asText(content["credsStore"]) || undefined,
    entryFor(reference) {
      const entry = mostSpecific(auths, reference);
      return isObject(entry) ? readEntry(entry) : undefined;
    },
  };
}

/** `auth` is the base64 of `user:password`; older files write both out. */
function readEntry(entry: Untyped): CredentialEntry {
  const pair = Buffer.from(asText(entry["auth"]), "base64").toString();
  const colon = pair.indexOf(":");
  return {
    username: colon < 0 ? asText(entry["username"]) : pair.slice(0, colon),
    // Docker's own tools cut these zeros off as well.
    password: colon < 0 ? asText(entry["password"]) : pair.slice(colon + 1).replace(/\0+$/, ""),
    identityToken: asText(entry["identitytoken"]),
  };
}

function byPlace(entries: Untyped): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(entries).map(([key, value]) => [placeOf(key), value]));
}

/**
 * What a key speaks of. Docker writes a registry as a host or as an address (`https://index.docker.io/v1/`), podman
 * also a part of one (`quay.io/owner`).
 */
function placeOf(key: string): string {
  const address = /^https?:\/\/([^/]*)/i.exec(key)?.[1];
  const [host = "", ...path] = (address ?? key.replace(/\/(?:v[12]\/?)?$/, "")).split("/");
  const isHub = /^(?:index\.|registry-1\.)?docker\.io$/i.test(host);
  return [isHub ? DOCKER_HUB : host.toLowerCase(), ...path].join("/");
}

/** The entry of the image's repository, else of what it is a part of, up to its registry. */
function mostSpecific(
  entries: ReadonlyMap<string, unknown>,
  { registry, repository }: ImageReference,
): unknown {
  const path = [registry.toLowerCase(), ...repository.split("/")];
  for (let length = path.length; length > 0; length--) {
    const entry = entries.get(path.slice(0, length).join("/"));
    if (entry !== undefined) return entry;
  }
  return undefined;
}

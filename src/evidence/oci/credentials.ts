import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../api/client/errors.ts";
import { parseJson } from "../../api/json.ts";
import { asObject, asText, isObject, type Untyped } from "../../api/untyped.ts";
import { ProgramNotStarted, runProgram } from "../../net/run-program.ts";
import { isMissing, whyUnusable } from "../unusable-path.ts";
import { DOCKER_HUB, type ImageReference } from "./reference.ts";

/** Credentials left by `docker login`. */
export type Credentials =
  | { readonly kind: "password"; readonly username: string; readonly password: string }
  /** Exchanged for a token, and never sent to the registry itself. */
  | { readonly kind: "identity-token"; readonly token: string };

/** Docker's key for Docker Hub. */
const HUB_SERVER = "https://index.docker.io/v1/";
/** A helper's user name for an identity token. */
const TOKEN_USER = "<token>";

/**
 * Reads the credentials from the files of Docker and podman and from the helpers named there. Undefined without
 * credentials, since most images are public.
 *
 * @throws {InputError} for an unreadable file or a failing helper
 */
export async function credentialsFor(
  reference: ImageReference,
  context: HelperContext,
): Promise<Credentials | undefined> {
  for (const path of pathsOf(context.env)) {
    const content = await contentOfFile(path);
    const found = content && (await credentialsIn(content, reference, context));
    if (found) return found;
  }
  return undefined;
}

async function credentialsIn(
  content: Untyped,
  reference: ImageReference,
  context: HelperContext,
): Promise<Credentials | undefined> {
  const helper = asText(mostSpecific(content["credHelpers"], reference)) || asText(content["credsStore"]);
  if (helper !== "") {
    const server = reference.registry === DOCKER_HUB ? HUB_SERVER : reference.registry;
    const answer = await askHelper(helper, server, context);
    if (answer) return asCredentials(answer.username, answer.secret);
  }
  const entry = mostSpecific(content["auths"], reference);
  return isObject(entry) ? credentialsOf(entry) : undefined;
}

/** `auth` is the base64 of `user:password`; older files write both out. */
function credentialsOf(entry: Untyped): Credentials | undefined {
  const token = asText(entry["identitytoken"]);
  if (token !== "") return { kind: "identity-token", token };
  const pair = Buffer.from(asText(entry["auth"]), "base64").toString();
  const colon = pair.indexOf(":");
  if (colon < 0) return asCredentials(asText(entry["username"]), asText(entry["password"]));
  // Docker's tools strip these zeros too.
  return asCredentials(pair.slice(0, colon), pair.slice(colon + 1).replace(/\0+$/, ""));
}

function asCredentials(username: string, password: string): Credentials | undefined {
  if (username === TOKEN_USER) return { kind: "identity-token", token: password };
  return username === "" && password === "" ? undefined : { kind: "password", username, password };
}

/** In order: podman's variable, Docker's own, podman's own. */
function pathsOf(env: HelperContext["env"]): string[] {
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

/** @throws {InputError} for an unusable file, since an anonymous request would only hide why */
async function contentOfFile(path: string): Promise<Untyped | undefined> {
  const unusable = (why: string, cause?: unknown) =>
    new InputError([{ input: "artifact", problem: `the credentials file '${path}' ${why}` }], {
      advice: "Log in to the registry in an earlier step, which rewrites the file.",
      cause,
    });
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unusable(whyUnusable(error), error);
  }
  // The parser's message would show secrets.
  const value = text.trim() === "" ? {} : parseJson(text)?.value;
  if (!isObject(value)) throw unusable("is not a JSON object");
  return value;
}

/**
 * Normalizes the key of a registry. Docker writes a host or an address (`https://index.docker.io/v1/`), podman also a
 * part of a name (`quay.io/owner`).
 */
function placeOf(key: string): string {
  const address = /^https?:\/\/([^/]*)/i.exec(key)?.[1];
  const [host = "", ...path] = (address ?? key.replace(/\/(?:v[12]\/?)?$/, "")).split("/");
  const isHub = /^(?:index\.|registry-1\.)?docker\.io$/i.test(host);
  return [isHub ? DOCKER_HUB : host.toLowerCase(), ...path].join("/");
}

/** The entry of the repository, else of the nearest part of its name, up to the registry. */
function mostSpecific(given: unknown, { registry, repository }: ImageReference): unknown {
  const entries = new Map(Object.entries(asObject(given)).map(([key, entry]) => [placeOf(key), entry]));
  const path = [registry.toLowerCase(), ...repository.split("/")];
  for (let length = path.length; length > 0; length--) {
    const entry = entries.get(path.slice(0, length).join("/"));
    if (entry !== undefined) return entry;
  }
  return undefined;
}

interface HelperContext {
  /** The helper's whole environment. The caller removes secrets. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** A helper's message for an unknown server, which is not a failure. */
const UNKNOWN_SERVER = /credentials not found/i;
/** Credentials have a few kilobytes. */
const MAX_OUTPUT_BYTES = 256 * 1024;

/**
 * Runs `docker-credential-<name>`; undefined if it has no credentials. Its output is never shown, since it may contain
 * the secret.
 *
 * @throws {InputError} (`artifact`) for a missing or failing helper
 * @throws the signal's reason when it aborts
 */
async function askHelper(
  name: string,
  server: string,
  { env, signal }: HelperContext,
): Promise<{ username: string; secret: string } | undefined> {
  const program = `docker-credential-${name}`;
  const failed = (why: string, advice: string, cause?: unknown) =>
    new InputError([{ input: "artifact", problem: `the credentials helper '${program}' ${why}` }], {
      advice,
      cause,
    });
  const missing = (cause?: unknown) =>
    failed(
      "cannot be started",
      "Install the helper on PATH, or remove it from Docker's config.json and log in again.",
      cause,
    );
  // The name comes from a file, so it must not lead to a program elsewhere.
  if (!/^[\w.-]+$/.test(name)) throw missing();
  const { exitCode, output } = await run(program, server, { env, signal }).catch((error: unknown) => {
    throw error instanceof ProgramNotStarted ? missing(error) : error;
  });
  if (exitCode !== 0 && UNKNOWN_SERVER.test(output)) return undefined;
  // 'get' would print the secret.
  const advice = `Run '${program} list' in this job to reproduce the failure.`;
  if (exitCode === null) throw failed("was killed", advice);
  if (exitCode !== 0) throw failed(`failed with exit status ${exitCode}`, advice);
  const answer = parseJson(output)?.value;
  if (!isObject(answer)) throw failed("returned an unreadable response", advice);
  return { username: asText(answer["Username"]), secret: asText(answer["Secret"]) };
}

async function run(program: string, server: string, { env, signal }: HelperContext) {
  const chunks: Buffer[] = [];
  let size = 0;
  const onStdout = (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_OUTPUT_BYTES) chunks.push(chunk);
  };
  const { exitCode } = await runProgram({ program, args: ["get"], input: server, env, signal, onStdout });
  return { exitCode, output: Buffer.concat(chunks).toString() };
}

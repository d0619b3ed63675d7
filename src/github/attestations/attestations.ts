import { Client, type Failure } from "../../net/client.ts";
import { Deadline } from "../../net/deadline.ts";
import { PROFILES } from "../../net/profiles.ts";
import type { GitHubAddress } from "../api/github-address.ts";
import type { Result } from "../api/github-api.ts";
import { GitHubError } from "../api/github-fault.ts";
import { type AttestationQuestion, listAttestations, RETRY, TIME_LIMIT_MS } from "./lists.ts";
import { unpackSnappy } from "./snappy.ts";

/** Bundles of an artifact. */
interface Bundles {
  /** Newest first, unverified. */
  readonly bundles: readonly unknown[];
  /** One for each bundle that could not be read. */
  readonly faults: readonly GitHubError[];
}

/**
 * GitHub's attestations of an artifact.
 *
 * @param address of the repository that built the artifact
 * @throws the signal's reason when it aborts; other failures are returned as faults. Status 404 means that there are
 * none, or that the token may not read them.
 */
export async function readAttestations(
  address: GitHubAddress,
  question: AttestationQuestion,
): Promise<Result<Bundles>> {
  const listed = await listAttestations(address, question);
  if ("fault" in listed) return listed;
  const read = await Promise.all(
    listed.answer.map(({ bundle, bundle_url }) => (bundle ? { bundle } : bundleAt(bundle_url, address))),
  );
  return {
    answer: {
      bundles: read.flatMap((each) => ("bundle" in each ? [each.bundle] : [])),
      faults: read.flatMap((each) => ("fault" in each ? [each.fault] : [])),
    },
  };
}

/** A bundle, or its fault: a missing bundle must not hide a valid one. */
async function bundleAt(
  address: string | undefined,
  { apiUrl, env, signal }: GitHubAddress,
): Promise<{ bundle: unknown } | { fault: GitHubError }> {
  using deadline = new Deadline(TIME_LIMIT_MS / 1000, signal);
  await using client = new Client({
    profile: PROFILES.bundle,
    errorOf: (failure) => new GitHubError({ reason: whyNot(failure), cause: failure.cause }),
    proxyVariables: env,
    waitMs: RETRY.waitMs,
  });
  try {
    const url = bundleAddress(address, apiUrl);
    const { status, bytes } = await client.send({ method: "GET", url, headers: { accept: "*/*" } }, deadline);
    if (status !== 200) throw new GitHubError({ reason: `${url.host} returned no bundle (${status})` });
    return { bundle: parsed(bytes) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof GitHubError) return { fault: error };
    throw error;
  }
}

function whyNot(failure: Failure): string {
  switch (failure.kind) {
    case "too-late":
      return `a bundle was not received within ${TIME_LIMIT_MS / 1000} s`;
    case "too-large":
      return "a bundle is too large";
    case "unanswered":
      return `${failure.url.host} returned no bundle: ${failure.fault.reason}`;
    case "unusable-proxy":
      return `${failure.variable}: ${failure.problem}`;
    case "long-wait":
      return `${failure.url.host} returned no bundle (${failure.reason})`;
    case "redirected":
      return `${failure.url.host} returned no bundle (${failure.status})`;
  }
}

/** Address of a bundle. It is not on GitHub's API host, so no token is sent. */
function bundleAddress(address: string | undefined, apiUrl: string): URL {
  const url = URL.parse(address ?? "");
  // If the API uses https, so must the bundle.
  const isUsable = url?.protocol === "https:" || url?.protocol === new URL(apiUrl).protocol;
  if (url === null || !isUsable)
    throw new GitHubError({ reason: "GitHub returned an unusable address for a bundle" });
  return url;
}

function parsed(bytes: Buffer): unknown {
  try {
    // Plain JSON begins with a brace. As a Snappy length that would be 123 bytes, less than any bundle.
    const isPacked = bytes[0] !== "{".charCodeAt(0);
    const json = isPacked ? unpackSnappy(bytes, PROFILES.bundle.maxBytes) : bytes;
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new GitHubError({ reason: `a bundle from GitHub cannot be unpacked: ${why}`, cause });
  }
}

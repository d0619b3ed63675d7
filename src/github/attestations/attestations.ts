import * as z from "zod/mini";
import { Client, type Failure } from "../../net/client.ts";
import { Deadline } from "../../net/deadline.ts";
import { PROFILES } from "../../net/profiles.ts";
import type { GitHubAddress } from "../api/github-address.ts";
import { askGitHub } from "../api/github-api.ts";
import { GitHubError } from "../api/github-fault.ts";
import { text } from "../api/lenient.ts";
import { unpackSnappy } from "./snappy.ts";

/** For the list and all bundles, in milliseconds: a gate waits for them. */
const TIME_LIMIT_MS = 60_000;
/** The newest of an artifact. It has more only when it was attested again and again. */
const MOST = 30;
const RETRY = { attempts: 3, waitMs: (attempt: number) => attempt * 500 };

/** GitHub gives a bundle itself, or the address of where it keeps it. */
const listed = z.object({
  attestations: z.array(
    z.object({
      bundle: z.catch(z.nullish(z.record(z.string(), z.unknown())), null),
      bundle_url: text,
    }),
  ),
});

/**
 * The attestations that GitHub keeps of an artifact.
 *
 * @param address whose repository is the one that the artifact was built in
 * @throws the signal's reason when it aborts. Whatever GitHub does is told as a fault; status 404 means that there are
 * none, or that the token may not see them.
 */
export function readAttestations(
  address: GitHubAddress,
  { sha256, predicateType }: { readonly sha256: string; readonly predicateType: string },
) {
  return askGitHub({ timeLimitMs: TIME_LIMIT_MS, retry: RETRY, ...address }, async (github) => {
    const data = await github.get({
      path: "/attestations/{digest}",
      parameters: { digest: `sha256:${sha256}`, predicate_type: predicateType, per_page: MOST },
      subject: "attestations of the artifact",
      permission: "attestations: read",
    });
    const { data: list } = z.safeParse(listed, data);
    if (list === undefined) throw new GitHubError({ reason: "GitHub's list of attestations cannot be read" });
    const had = await Promise.all(
      list.attestations.map(({ bundle, bundle_url }) =>
        bundle ? { bundle } : bundleAt(bundle_url, address, github.signal),
      ),
    );
    return {
      // The newest first. Nothing of them is proven.
      bundles: had.flatMap((each) => ("bundle" in each ? [each.bundle] : [])),
      // Why others could not be had, one for each.
      faults: had.flatMap((each) => ("fault" in each ? [each.fault] : [])),
    };
  });
}

/** A bundle, or why it could not be had: one that is lost must not keep back another that holds. */
async function bundleAt(
  address: string | undefined,
  { apiUrl, env, signal: interrupt }: GitHubAddress,
  signal: AbortSignal,
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
    if (status !== 200) throw new GitHubError({ reason: `${url.host} gave no bundle (${status})` });
    return { bundle: parsed(bytes) };
  } catch (error) {
    interrupt.throwIfAborted();
    if (error instanceof GitHubError) return { fault: error };
    if (!signal.aborted) throw error;
    return { fault: new GitHubError({ reason: TOO_LATE, cause: error }) };
  }
}

const TOO_LATE = `a bundle did not come within ${TIME_LIMIT_MS / 1000} s`;

function whyNot(failure: Failure): string {
  switch (failure.kind) {
    case "too-late":
      return TOO_LATE;
    case "too-large":
      return "a bundle is too large";
    case "unanswered":
      return `no bundle came from ${failure.url.host}: ${failure.fault.reason}`;
    case "unusable-proxy":
      return `${failure.variable}: ${failure.problem}`;
    case "long-wait":
      return `${failure.url.host} gave no bundle (${failure.reason})`;
    case "redirected":
      return `${failure.url.host} gave no bundle (${failure.status})`;
  }
}

/** Where a bundle is: not at GitHub's own host, so that no token is sent along. */
function bundleAddress(address: string | undefined, apiUrl: string): URL {
  const url = URL.parse(address ?? "");
  // Where the token went by https, the bundle does not come by less.
  const isUsable = url?.protocol === "https:" || url?.protocol === new URL(apiUrl).protocol;
  if (url === null || !isUsable) throw new GitHubError({ reason: "GitHub gave a bundle no usable address" });
  return url;
}

function parsed(bytes: Buffer): unknown {
  try {
    // JSON as it is begins with a brace, which as a block's length would be 123 bytes: no bundle is that small.
    const isPacked = bytes[0] !== "{".charCodeAt(0);
    const json = isPacked ? unpackSnappy(bytes, PROFILES.bundle.maxBytes) : bytes;
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new GitHubError({ reason: `a bundle that GitHub keeps cannot be unpacked: ${why}`, cause });
  }
}

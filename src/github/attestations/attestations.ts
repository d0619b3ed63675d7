import request from "undici/lib/api/api-request.js";
import * as z from "zod/mini";
import { makeDispatcher } from "../../net/dispatcher.ts";
import { explainFault } from "../../net/network-fault.ts";
import { proxyFor } from "../../net/proxy.ts";
import { pause } from "../../net/retry.ts";
import type { GitHubAddress } from "../api/github-address.ts";
import { askGitHub, type Result } from "../api/github-api.ts";
import { GitHubError } from "../api/github-fault.ts";
import { text } from "../api/lenient.ts";
import { unpackSnappy } from "./snappy.ts";

/** For the list and all bundles, in milliseconds: a gate waits for them. */
const TIME_LIMIT_MS = 60_000;
/** The newest of an artifact. It has more only when it was attested again and again. */
const MOST = 30;
/** Of one bundle, packed or not. */
const MAX_BUNDLE_BYTES = 20 * 1024 * 1024;
const RETRY = { attempts: 3, waitMs: (attempt: number) => attempt * 500 };

export interface AttestationQuestion {
  /** 64 hex digits. */
  readonly sha256: string;
  readonly predicateType: string;
}

/** GitHub gives a bundle itself, or the address of where it keeps it. */
const listed = z.object({
  attestations: z.array(
    z.object({
      bundle: z.catch(z.nullish(z.record(z.string(), z.unknown())), null),
      bundle_url: text,
    }),
  ),
});

/** What GitHub keeps of an artifact. */
export interface KeptAttestations {
  /** Sigstore bundles, the newest first, as JSON values. Nothing of them is proven. */
  readonly bundles: readonly unknown[];
  /** Why others could not be had, one for each. */
  readonly faults: readonly GitHubError[];
}

/**
 * The attestations that GitHub keeps of an artifact.
 *
 * @param address whose repository is the one that the artifact was built in
 * @throws the signal's reason when it aborts. Whatever GitHub does is told as a fault; status 404 means that there are
 * none, or that the token may not see them.
 */
export function readAttestations(
  address: GitHubAddress,
  { sha256, predicateType }: AttestationQuestion,
): Promise<Result<KeptAttestations>> {
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
      bundles: had.flatMap((each) => ("bundle" in each ? [each.bundle] : [])),
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
  try {
    return { bundle: await fetchBundle({ url: bundleAddress(address, apiUrl), env, signal }) };
  } catch (error) {
    interrupt.throwIfAborted();
    if (error instanceof GitHubError) return { fault: error };
    if (!signal.aborted) throw error;
    return {
      fault: new GitHubError({
        reason: `a bundle did not come within ${TIME_LIMIT_MS / 1000} s`,
        cause: error,
      }),
    };
  }
}

interface BundleRequest extends Pick<GitHubAddress, "env"> {
  readonly url: URL;
  readonly signal: AbortSignal;
}

/** A bundle from where GitHub keeps it, asked for again where that can help. */
async function fetchBundle(bundle: BundleRequest): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchOnce(bundle);
    } catch (error) {
      if (!(error instanceof GitHubError && error.passing) || attempt >= RETRY.attempts) throw error;
    }
    await pause(RETRY.waitMs(attempt), bundle.signal);
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

async function fetchOnce({ url, env, signal }: BundleRequest): Promise<unknown> {
  const dispatcher = await makeDispatcher(proxyFor(url, env), signal);
  try {
    const { statusCode: status, body } = await request.call(dispatcher, {
      method: "GET",
      origin: url.origin,
      path: url.pathname + url.search,
      headers: { "user-agent": "delivery-evidence", accept: "*/*" },
      signal,
    });
    if (status === 200) return parsed(await limited(body));
    body.on("error", () => {}).destroy();
    throw new GitHubError({ reason: `${url.host} gave no bundle (${status})`, passing: status >= 500 });
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof GitHubError) throw cause;
    const { reason, retried } = explainFault(cause);
    throw new GitHubError({ reason: `no bundle came from ${url.host}: ${reason}`, passing: retried, cause });
  } finally {
    await dispatcher.destroy();
  }
}

async function limited(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_BUNDLE_BYTES) throw new GitHubError({ reason: "a bundle is too large" });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parsed(bytes: Buffer): unknown {
  try {
    // JSON as it is begins with a brace, which as a block's length would be 123 bytes: no bundle is that small.
    const isPacked = bytes[0] !== "{".charCodeAt(0);
    const json = isPacked ? unpackSnappy(bytes, MAX_BUNDLE_BYTES) : bytes;
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new GitHubError({ reason: `a bundle that GitHub keeps cannot be unpacked: ${why}`, cause });
  }
}

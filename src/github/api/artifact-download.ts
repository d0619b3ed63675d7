import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import request from "undici/lib/api/api-request.js";
import { isEvidenceError } from "../../api/client/errors.ts";
import { unlessEnded } from "../../net/deadline.ts";
import { makeDispatcher } from "../../net/dispatcher.ts";
import { explainFault } from "../../net/network-fault.ts";
import { proxyFor } from "../../net/proxy.ts";
import type { GitHubAddress } from "./github-address.ts";
import type { Result } from "./github-api.ts";
import { GitHubError, permissionAdvice } from "./github-fault.ts";
import type { WorkflowArtifact } from "./workflow-artifacts.ts";

/** For one archive, in milliseconds. */
const TIME_LIMIT_MS = 300_000;
/** GitHub keeps archives elsewhere and sends us there once. */
const MAX_REDIRECTS = 3;
/** A larger archive is no spool, in bytes. */
const MAX_ARCHIVE_BYTES = 2 * 1024 * 1024 * 1024;

/**
 * Downloads an artifact as the ZIP archive it is. The token is shown to GitHub alone, not to where the archive is.
 *
 * @param path where to write it
 * @throws the signal's reason when it aborts. Whatever GitHub does is told as a fault.
 */
export async function downloadArtifact(
  { apiUrl, repository, token, env, signal }: GitHubAddress,
  { id, sha256 }: WorkflowArtifact,
  path: string,
): Promise<Result<void>> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
  const first = new URL(`${apiUrl}/repos/${repository}/actions/artifacts/${id}/zip`);
  try {
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const headers = url.origin === first.origin ? { authorization: `Bearer ${token}` } : {};
      const next = await fetchOnce(url, { headers, env, signal: limited, path, sha256 });
      if (next === undefined) return { answer: undefined };
      url = next;
    }
    throw new GitHubError({ reason: "GitHub redirected the download again and again" });
  } catch (error) {
    signal.throwIfAborted();
    if (limited.aborted) {
      return { fault: new GitHubError({ reason: `GitHub took longer than ${TIME_LIMIT_MS / 1000} s` }) };
    }
    if (error instanceof GitHubError) return { fault: error };
    const reason = isEvidenceError(error) ? error.message : explainFault(error).reason;
    return { fault: new GitHubError({ reason, cause: error }) };
  }
}

interface Download extends Pick<GitHubAddress, "env" | "signal"> {
  readonly headers: Readonly<Record<string, string>>;
  readonly path: string;
  readonly sha256: string | undefined;
}

/** Writes what an address gives, or tells where it is instead. */
async function fetchOnce(
  url: URL,
  { headers, env, signal, path, sha256 }: Download,
): Promise<URL | undefined> {
  const dispatcher = await makeDispatcher(proxyFor(url, env), signal);
  try {
    const answer = request.call(dispatcher, {
      method: "GET",
      origin: url.origin,
      path: url.pathname + url.search,
      headers: { "user-agent": "delivery-evidence", accept: "*/*", ...headers },
      signal,
    });
    const { statusCode: status, headers: answered, body } = await unlessEnded(answer, signal);
    if (status >= 300 && status < 400) {
      body.on("error", () => {}).destroy();
      return redirection(answered["location"], url);
    }
    if (status !== 200) {
      body.on("error", () => {}).destroy();
      throw refusal(status);
    }
    const hash = createHash("sha256");
    await pipeline(body, measured(hash), createWriteStream(path, { mode: 0o600 }), { signal });
    if (sha256 !== undefined && hash.digest("hex") !== sha256) {
      throw new GitHubError({ reason: "the archive is not the one that was uploaded: its sha256 differs" });
    }
    return undefined;
  } finally {
    await dispatcher.destroy();
  }
}

function measured(hash: ReturnType<typeof createHash>) {
  return async function* (chunks: AsyncIterable<Uint8Array>) {
    let size = 0;
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > MAX_ARCHIVE_BYTES) throw new GitHubError({ reason: "the archive is too large for a spool" });
      hash.update(chunk);
      yield chunk;
    }
  };
}

function redirection(location: string | readonly string[] | undefined, from: URL): URL {
  const to = typeof location === "string" ? URL.parse(location, from.href) : null;
  // Where the token went by https, the archive does not come by less.
  if (to?.protocol !== "https:" && to?.protocol !== from.protocol) {
    throw new GitHubError({ reason: "GitHub redirected the download to no usable address" });
  }
  return to;
}

function refusal(status: number): GitHubError {
  if (status !== 401 && status !== 403 && status !== 404)
    return new GitHubError({ reason: `GitHub answered ${status}`, status });
  const advice = permissionAdvice("actions: read");
  return new GitHubError({ reason: `the token may not download the artifact (${status})`, advice, status });
}

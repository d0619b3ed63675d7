import { createHash } from "node:crypto";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { Client, type Failure } from "../../net/client.ts";
import { Deadline } from "../../net/deadline.ts";
import { PROFILES } from "../../net/profiles.ts";
import type { GitHubAddress } from "./github-address.ts";
import type { Result } from "./github-api.ts";
import { GitHubError, permissionAdvice } from "./github-fault.ts";
import type { WorkflowArtifact } from "./workflow-artifacts.ts";

/** Timeout of one download. */
const TIME_LIMIT_SECONDS = 300;

/**
 * Downloads an artifact as a ZIP archive. The token is sent to GitHub alone, not to the archive's host.
 *
 * @param path of the file to write
 * @throws the signal's reason when it aborts; other failures are returned as faults
 */
export async function downloadArtifact(
  { apiUrl, repository, token, env, signal }: GitHubAddress,
  { id, sha256 }: WorkflowArtifact,
  path: string,
): Promise<Result<void>> {
  const url = new URL(`${apiUrl}/repos/${repository}/actions/artifacts/${id}/zip`);
  const headers = { accept: "*/*", authorization: `Bearer ${token}` };
  using deadline = new Deadline(TIME_LIMIT_SECONDS, signal);
  await using client = new Client({
    profile: PROFILES.archive,
    errorOf: (failure) => new GitHubError({ reason: whyNot(failure), cause: failure.cause }),
    proxyVariables: env,
  });
  try {
    const hash = createHash("sha256");
    const file = openSync(path, "w", 0o600);
    const take = (chunk: Buffer) => {
      hash.update(chunk);
      writeFileSync(file, chunk);
    };
    const { status } = await client
      .send({ method: "GET", url, headers, take }, deadline)
      .finally(() => closeSync(file));
    if (status !== 200) throw refusal(status);
    if (sha256 !== undefined && hash.digest("hex") !== sha256) {
      throw new GitHubError({
        reason: "the archive differs from the uploaded one: its SHA-256 does not match",
      });
    }
    return { answer: undefined };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof GitHubError) return { fault: cause };
    return { fault: new GitHubError({ reason: `the archive could not be written (${cause})`, cause }) };
  }
}

function whyNot(failure: Failure): string {
  switch (failure.kind) {
    case "too-late":
      return `GitHub took longer than ${TIME_LIMIT_SECONDS} s`;
    case "too-large":
      return "the archive is too large for a spool";
    case "redirected":
      return failure.to
        ? "GitHub redirected the download too many times"
        : "GitHub redirected the download to an unusable address";
    case "unanswered":
      return failure.fault.reason;
    case "unusable-proxy":
      return `${failure.variable}: ${failure.problem}`;
    case "long-wait":
      return failure.reason;
  }
}

function refusal(status: number): GitHubError {
  if (status !== 401 && status !== 403 && status !== 404)
    return new GitHubError({ reason: `GitHub answered ${status}`, status });
  const advice = permissionAdvice("actions: read");
  return new GitHubError({ reason: `the token may not download the artifact (${status})`, advice, status });
}

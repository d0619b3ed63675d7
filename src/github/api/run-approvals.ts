import * as z from "zod/mini";
import { backoff } from "../../net/retry.ts";
import { unixSeconds } from "./commit-facts.ts";
import type { GitHubAddress } from "./github-address.ts";
import { askGitHub, type GitHub, type Result } from "./github-api.ts";
import { list, number, parseAnswer, part, text } from "./lenient.ts";
import { GHOST } from "./reviews.ts";

/** Timeout for the approvals, and again for their times, in milliseconds. */
const TIME_LIMIT_MS = 20_000;
/** Attempts of each request. */
const ATTEMPTS = 3;
/** Deployments read for one environment. A run has one for each of its jobs and attempts. */
const MAX_DEPLOYMENTS = 20;

export interface RunApprovalsQuestion extends GitHubAddress {
  readonly runId: string;
  /** The run's commit, which identifies its deployments. */
  readonly sha?: string | undefined;
  /** Called with what is missing from the result, and why. */
  readonly warn: (text: string) => void;
}

/** A decision about a run that waited for protected environments. */
export interface RunApproval {
  /** The reviewer's account. */
  readonly username: string;
  readonly state: "approved" | "rejected" | "pending";
  readonly comment: string;
  readonly environments: readonly string[];
  /**
   * When GitHub released the first of the deployments, in Unix seconds. GitHub does not report the time of an approval:
   * it lies between the start of the wait and this time. Absent if unknown.
   */
  readonly releasedAt?: number;
}

const review = z.object({
  state: z.enum(["approved", "rejected", "pending"]),
  comment: text,
  user: part({ login: text }),
  environments: list(part({ name: text })),
});

/**
 * The approvals of a workflow run. Empty if none was required or given.
 *
 * @throws the signal's reason when it aborts; other failures are returned as faults, and a missing time only warns
 */
export async function readRunApprovals(question: RunApprovalsQuestion): Promise<Result<RunApproval[]>> {
  const retry = { attempts: ATTEMPTS, waitMs: backoff };
  const address = { timeLimitMs: TIME_LIMIT_MS, retry, ...question };
  const outcome = await askGitHub(address, (github) => listApprovals(github, question.runId));
  if ("fault" in outcome) return outcome;
  const releases = await releasesOf(address, approvedOnce(outcome.answer));
  const answer = outcome.answer.map((approval) => {
    const times = approval.environments.flatMap((name) => releases.get(name) ?? []);
    return approval.state === "approved" && times.length > 0
      ? { ...approval, releasedAt: Math.min(...times) }
      : approval;
  });
  return { answer };
}

/** The environments with a single approval. After several, as with a second attempt, the times are ambiguous. */
function approvedOnce(approvals: readonly RunApproval[]): string[] {
  const all = approvals
    .filter(({ state }) => state === "approved")
    .flatMap(({ environments }) => environments);
  return all.filter((name) => all.indexOf(name) === all.lastIndexOf(name));
}

async function listApprovals(github: GitHub, runId: string): Promise<RunApproval[]> {
  const data = await github.get({
    path: "/actions/runs/{run_id}/approvals",
    parameters: { run_id: runId },
    subject: `run ${runId}`,
    permission: "actions: read",
  });
  return parseAnswer(z.array(review), data, "a list of approvals").map(
    ({ state, comment = "", user, environments = [] }) => ({
      username: user?.login ?? GHOST,
      state,
      comment,
      environments: environments.flatMap((environment) => environment?.name ?? []),
    }),
  );
}

/** When each environment released this run's deployment, in Unix seconds. Has its own timeout. */
async function releasesOf(address: RunApprovalsQuestion, environments: readonly string[]) {
  const { runId, sha, apiUrl, warn } = address;
  const releases = new Map<string, number>();
  if (sha === undefined || environments.length === 0) return releases;
  const outcome = await askGitHub(address, async (github) => {
    for (const environment of environments) {
      const time = await releaseOf(github, { runId, sha, environment });
      if (time !== undefined) releases.set(environment, time);
    }
  });
  if ("fault" in outcome) {
    const so = "The approvals are recorded without their times.";
    warn(outcome.fault.explain(apiUrl, `returned no deployments of run ${runId}`, so));
  }
  return releases;
}

const deployments = z.array(z.object({ id: number }));
const statuses = z.array(z.object({ state: text, created_at: text, log_url: text, target_url: text }));

async function releaseOf(
  github: GitHub,
  { runId, sha, environment }: { runId: string; sha: string; environment: string },
): Promise<number | undefined> {
  const access = { subject: "deployment", permission: "deployments: read" } as const;
  const parameters = { sha, environment, per_page: MAX_DEPLOYMENTS };
  const listed = await github.get({ ...access, path: "/deployments", parameters });
  for (const { id } of z.safeParse(deployments, listed).data ?? []) {
    if (id === undefined) continue;
    const ofOne = { id, per_page: 100 };
    const data = await github.get({ ...access, path: "/deployments/{id}/statuses", parameters: ofOne });
    const time = endOfWait(z.safeParse(statuses, data).data ?? [], runId);
    if (time !== undefined) return time;
  }
  return undefined;
}

/** When a deployment of the run was released after it waited for an approval. */
function endOfWait(given: z.infer<typeof statuses>, runId: string): number | undefined {
  const ofRun = ({ log_url, target_url }: (typeof given)[number]) =>
    `${log_url || target_url || ""}/`.includes(`/actions/runs/${runId}/`);
  if (!given.some(ofRun)) return undefined;
  // GitHub lists the newest first, and several can have the same second.
  const inOrder = given.map(({ state, created_at }) => ({ state, time: unixSeconds(created_at) })).reverse();
  const waiting = inOrder.findIndex(({ state }) => state === "waiting");
  return waiting < 0 ? undefined : inOrder.slice(waiting).find(({ state }) => state !== "waiting")?.time;
}

import { setTimeout as delay } from "node:timers/promises";
import {
  type ClusterRecords,
  createDeploymentRecord,
  type DeploymentRecord,
  readClusterJob,
  setClusterRecords,
  startClusterJob,
} from "../../github/api/artifact-metadata.ts";
import { gitHubAddress } from "../../github/api/github-address.ts";
import { askGitHub, type GitHub } from "../../github/api/github-api.ts";
import { GitHubError } from "../../github/api/github-fault.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { fewAtATime } from "../../net/few-at-a-time.ts";
import type { Report } from "./report.ts";
import type { RunningArtifact } from "./running-artifacts.ts";

/** GitHub recommends serial writes, and limits them per minute. */
const AT_A_TIME = 2;
/** For all records, in milliseconds. */
const TIME_LIMIT_MS = 120_000;
/** Records of an environment that GitHub sets in a job, because a request would take too long. */
const LARGE = 100;
/** Between two looks at a job, in milliseconds. */
const WAIT_MS = 2_000;
const MOST_POLLS = 20;
/** More single records in one step would exceed GitHub's hourly limit of a repository. */
const MOST = 500;

/** Reports running artifacts to GitHub for linked artifacts. Warns on failure. */
export async function reportDeployments(
  reports: readonly Report[],
  token: string | undefined,
  context: ActionContext,
): Promise<void> {
  const { runner, signal, info, warn } = context;
  const sets = reports.map(setOf);
  const total = sets.reduce((sum, { records }) => sum + records.length, 0);
  if (context.dryRun) return info(`Would report ${total} deployments to GitHub.`);
  const address = gitHubAddress(runner, token, signal);
  const missing = "github-token or the variable GITHUB_REPOSITORY is empty";
  if (address === undefined) return warn(`No deployment records were sent to GitHub: ${missing}`);
  const outcome = await askGitHub({ ...address, timeLimitMs: TIME_LIMIT_MS }, async (github) => {
    const tally: Tally = { known: 0, sent: 0, refused: [], pending: 0 };
    const single: DeploymentRecord[] = [];
    // In turn, because GitHub runs one job of a cluster at a time.
    for (const { cluster, environment, records } of sets) {
      const isSet =
        cluster !== undefined &&
        records.length > 0 &&
        (await sendCluster(github, { cluster, environment, records }, tally));
      if (!isSet) single.push(...records);
    }
    if (single.length > MOST) warn(`GitHub gets only the first ${MOST} of ${single.length} deployments`);
    await sendEach(github, single.slice(0, MOST), tally);
    return tally;
  });
  if ("fault" in outcome)
    return warn(outcome.fault.explain(address.apiUrl, "did not confirm the deployment records"));
  const { known, sent, refused, pending } = outcome.answer;
  const what = `refused ${refused.length} of ${sent} deployment records`;
  if (refused[0] !== undefined) warn(refused[0].explain(address.apiUrl, what));
  if (pending > 0) info(`GitHub is still recording ${pending} deployments.`);
  info(
    `GitHub recorded ${known} of ${sent - pending} deployments. It records only artifacts that the organization built.`,
  );
}

interface Tally {
  /** Deployments that GitHub recorded. */
  known: number;
  sent: number;
  readonly refused: GitHubError[];
  /** Deployments of jobs that had not ended in time. */
  pending: number;
}

async function sendEach(github: GitHub, records: readonly DeploymentRecord[], tally: Tally): Promise<void> {
  const counts = await fewAtATime(AT_A_TIME, records, (record) =>
    createDeploymentRecord(github, record).catch((error: unknown) => {
      if (!isAboutOne(error)) throw error;
      tally.refused.push(error);
      return 0;
    }),
  );
  tally.sent += records.length;
  tally.known += counts.filter((count) => count > 0).length;
}

/**
 * Sends all records of an environment in a cluster. A record's identity includes the environment, so the environments of
 * one cluster do not replace each other's records. Returns false if GitHub does not have the request, as on older
 * servers, or knows none of the artifacts.
 */
async function sendCluster(github: GitHub, set: ClusterRecords, tally: Tally): Promise<boolean> {
  const sent =
    (set.records.length > LARGE ? await unlessMissing(() => sentAsJob(github, set)) : undefined) ??
    (await unlessMissing(() => setClusterRecords(github, set)));
  if (sent === undefined) return false;
  tally.sent += set.records.length;
  if (sent.known === undefined) tally.pending += set.records.length;
  else tally.known += sent.known;
  for (const { name = "a deployment", cause = "without a reason" } of sent.rejected)
    tally.refused.push(new GitHubError({ reason: `GitHub rejected ${name}: ${cause}` }));
  return true;
}

async function unlessMissing<T>(send: () => Promise<T>): Promise<T | undefined> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof GitHubError && error.status === 404) return undefined;
    throw error;
  }
}

/** Starts a job and waits for its end. Without an end in time, the number of records is unknown. */
async function sentAsJob(github: GitHub, set: ClusterRecords) {
  const { id, rejected } = await startedJob(github, set);
  for (let poll = 0; id !== undefined && poll < MOST_POLLS; poll++) {
    await delay(WAIT_MS, undefined, { signal: github.signal });
    const job = await readClusterJob(github, { cluster: set.cluster, id });
    if (job.status === "completed") return { ...job, rejected: [...rejected, ...job.rejected] };
    if (job.status === "failed")
      throw new GitHubError({ reason: `GitHub's job ${id} for the cluster '${set.cluster}' failed` });
  }
  return { known: undefined, rejected };
}

/** Waits for the end of another job of the cluster, such as that of a concurrent run. */
async function startedJob(github: GitHub, set: ClusterRecords) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startClusterJob(github, set);
    } catch (error) {
      const isBusy = error instanceof GitHubError && error.status === 409;
      if (!isBusy || attempt === MOST_POLLS) throw error;
      await delay(WAIT_MS, undefined, { signal: github.signal });
    }
  }
}

/** Whether GitHub refused only this record and may accept others. */
function isAboutOne(error: unknown): error is GitHubError {
  return error instanceof GitHubError && [400, 409, 422].includes(error.status ?? 0);
}

interface RecordSet {
  /** Undefined if it is unknown. */
  readonly cluster: string | undefined;
  readonly environment: string;
  readonly records: readonly DeploymentRecord[];
}

/** During a rollout, one workload runs in two versions. The newer one counts. */
function setOf({ target, running }: Report): RecordSet {
  const byDeployment = new Map<string, RunningArtifact>();
  for (const artifact of running.artifacts()) {
    if (artifact.fingerprint === "") continue;
    const name = deploymentOf(artifact);
    const known = byDeployment.get(name);
    if (known === undefined || known.since < artifact.since) byDeployment.set(name, artifact);
  }
  const { environment } = target;
  const cluster = target.context ?? running.source?.cluster;
  const records = [...byDeployment].map(([deployment, { name, fingerprint }]) => {
    return { name, sha256: fingerprint, environment, deployment, cluster };
  });
  return { cluster, environment, records };
}

/** `shop-web-app`: the workload, and the image without registry and version. */
function deploymentOf({ name, workload }: RunningArtifact): string {
  const image = name.replace(/@.*$/, "").replace(/:[^/:]*$/, "");
  const short = image.slice(image.lastIndexOf("/") + 1) || name;
  return workload === "" ? image : `${workload}-${short}`;
}

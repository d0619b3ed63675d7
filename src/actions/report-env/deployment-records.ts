import { createDeploymentRecord, type DeploymentRecord } from "../../github/api/artifact-metadata.ts";
import { gitHubAddress } from "../../github/api/github-address.ts";
import { askGitHub } from "../../github/api/github-api.ts";
import { GitHubError } from "../../github/api/github-fault.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { fewAtATime } from "../few-at-a-time.ts";
import type { Report } from "./report.ts";
import type { RunningArtifact } from "./running-artifacts.ts";

/** GitHub recommends serial writes, and limits them per minute. */
const AT_A_TIME = 2;
/** For all records, in milliseconds. */
const TIME_LIMIT_MS = 120_000;
/** More records in one step would exceed GitHub's hourly limit of a repository. */
const MOST = 500;

/** Reports running artifacts to GitHub for linked artifacts. Warns on failure. */
export async function reportDeployments(
  reports: readonly Report[],
  token: string | undefined,
  context: ActionContext,
): Promise<void> {
  const { runner, signal, info, warn } = context;
  const records = reports.flatMap(recordsOf);
  if (context.dryRun) return info(`Would report ${records.length} deployments to GitHub.`);
  const address = gitHubAddress(runner, token, signal);
  const missing = "github-token or the variable GITHUB_REPOSITORY is empty";
  if (address === undefined) return warn(`No deployment records were sent to GitHub: ${missing}`);
  if (records.length > MOST) warn(`GitHub gets only the first ${MOST} of ${records.length} deployments`);
  const refused: GitHubError[] = [];
  const outcome = await askGitHub({ ...address, timeLimitMs: TIME_LIMIT_MS }, (github) =>
    fewAtATime(AT_A_TIME, records.slice(0, MOST), (record) =>
      createDeploymentRecord(github, record).catch((error: unknown) => {
        if (!isAboutOne(error)) throw error;
        refused.push(error);
        return 0;
      }),
    ),
  );
  if ("fault" in outcome)
    return warn(outcome.fault.explain(address.apiUrl, "did not confirm the deployment records"));
  const what = `refused ${refused.length} of ${outcome.answer.length} deployment records`;
  if (refused[0] !== undefined) warn(refused[0].explain(address.apiUrl, what));
  const known = outcome.answer.filter((count) => count > 0).length;
  info(
    `GitHub recorded ${known} of ${outcome.answer.length} deployments. It records only artifacts that the organization built.`,
  );
}

/** Whether GitHub refused only this record and may accept others. */
function isAboutOne(error: unknown): error is GitHubError {
  return error instanceof GitHubError && [400, 409, 422].includes(error.status ?? 0);
}

/** During a rollout, one workload runs in two versions. The newer one counts. */
function recordsOf({ target, running }: Report): DeploymentRecord[] {
  const byDeployment = new Map<string, RunningArtifact>();
  for (const artifact of running.artifacts()) {
    const name = deploymentOf(artifact);
    const known = byDeployment.get(name);
    if (known === undefined || known.since < artifact.since) byDeployment.set(name, artifact);
  }
  const { environment, context: cluster } = target;
  return [...byDeployment].map(([deployment, { name, fingerprint }]) => {
    return { name, sha256: fingerprint, environment, deployment, cluster };
  });
}

/** `shop-web-app`: the workload, and the image without registry and version. */
function deploymentOf({ name, workload }: RunningArtifact): string {
  const image = name.replace(/@.*$/, "").replace(/:[^/:]*$/, "");
  const short = image.slice(image.lastIndexOf("/") + 1) || name;
  return workload === "" ? image : `${workload}-${short}`;
}

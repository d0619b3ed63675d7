import * as z from "zod/mini";
import type { GitHub } from "./github-api.ts";
import { number, text } from "./lenient.ts";

export interface DeploymentRecord {
  readonly name: string;
  /** 64 hex digits. */
  readonly sha256: string;
  readonly environment: string;
  /** Unique name in the environment: a new record with the same name replaces the old one. */
  readonly deployment: string;
  readonly cluster?: string | undefined;
}

export interface StorageRecord {
  readonly name: string;
  /** 64 hex digits. */
  readonly sha256: string;
  readonly version?: string | undefined;
  /** The address of the registry: `https://ghcr.io`. */
  readonly registryUrl: string;
  /** Its name in the registry: `acme/web`. */
  readonly path: string;
  /** Repository that built the image, without its owner. GitHub needs it if it has no attestation. */
  readonly repository: string;
}

/** Maximum lengths at GitHub. */
const MAX_NAME = 256;
const MAX_PLACE = 128;

const stored = z.object({ total_count: number });

/** Returns the number of created records: 0 if no repository of the organization built the artifact. */
export async function createDeploymentRecord(github: GitHub, record: DeploymentRecord): Promise<number> {
  const { environment, deployment, cluster } = record;
  const answer = await create(github, "deployment", record, {
    status: "deployed",
    logical_environment: environment.slice(0, MAX_PLACE),
    deployment_name: deployment.slice(0, MAX_NAME),
    ...(cluster !== undefined && { cluster: cluster.slice(0, MAX_PLACE) }),
  });
  return z.safeParse(stored, answer).data?.total_count ?? 0;
}

/** Records of one environment in a cluster. */
export interface ClusterRecords {
  readonly cluster: string;
  readonly environment: string;
  readonly records: readonly DeploymentRecord[];
}

/** A deployment that GitHub rejected, and its reason. */
interface Rejected {
  readonly name?: string | undefined;
  readonly cause?: string | undefined;
}

const rejected = z.catch(z.array(z.object({ name: text, cause: text })), []);
const setAnswer = z.object({ total_count: number, errors: rejected });
const jobStarted = z.object({ job_id: z.number(), errors: rejected });
const jobState = z.object({ status: text, total_count: number, errors: rejected });

const OF_CLUSTER = {
  of: "organization",
  subject: "deployment records of the cluster",
  permission: "artifact-metadata: write",
} as const;
const CLUSTER_PATH = "/artifacts/metadata/deployment-record/cluster/{cluster}";

/** Sets all records of an environment in a cluster with one request, which updates or creates each of them. */
export async function setClusterRecords(
  github: GitHub,
  set: ClusterRecords,
): Promise<{ readonly known: number; readonly rejected: readonly Rejected[] }> {
  const { parameters, body } = clusterRequest(set);
  const answer = await github.send({ ...OF_CLUSTER, path: CLUSTER_PATH, parameters, method: "POST", body });
  const { data } = z.safeParse(setAnswer, answer);
  return { known: data?.total_count ?? 0, rejected: data?.errors ?? [] };
}

/** Starts a job that sets the records. @throws {GitHubError} 409 while another job for the cluster runs */
export async function startClusterJob(
  github: GitHub,
  set: ClusterRecords,
): Promise<{ readonly id: number | undefined; readonly rejected: readonly Rejected[] }> {
  const { parameters, body } = clusterRequest(set);
  const path = `${CLUSTER_PATH}/jobs`;
  const answer = await github.send({ ...OF_CLUSTER, path, parameters, method: "POST", body });
  const { data } = z.safeParse(jobStarted, answer);
  return { id: data?.job_id, rejected: data?.errors ?? [] };
}

/** State of a job: `pending`, `processing`, `completed` or `failed`. */
export async function readClusterJob(github: GitHub, { cluster, id }: { cluster: string; id: number }) {
  const parameters = { cluster: cluster.slice(0, MAX_PLACE), id };
  const answer = await github.get({ ...OF_CLUSTER, path: `${CLUSTER_PATH}/jobs/{id}`, parameters });
  const { data } = z.safeParse(jobState, answer);
  return { status: data?.status, known: data?.total_count ?? 0, rejected: data?.errors ?? [] };
}

function clusterRequest({ cluster, environment, records }: ClusterRecords) {
  return {
    parameters: { cluster: cluster.slice(0, MAX_PLACE) },
    body: {
      logical_environment: environment.slice(0, MAX_PLACE),
      return_records: false,
      deployments: records.map(({ name, sha256, deployment }) => ({
        name: name.slice(0, MAX_NAME),
        digest: `sha256:${sha256}`,
        status: "deployed",
        deployment_name: deployment.slice(0, MAX_NAME),
      })),
    },
  };
}

export async function createStorageRecord(github: GitHub, record: StorageRecord): Promise<void> {
  const { version, registryUrl, path, repository } = record;
  await create(github, "storage", record, {
    ...(version !== undefined && { version }),
    registry_url: registryUrl,
    repository: path,
    github_repository: repository,
  });
}

function create(
  github: GitHub,
  kind: "deployment" | "storage",
  { name, sha256 }: Pick<StorageRecord, "name" | "sha256">,
  facts: Readonly<Record<string, string>>,
) {
  return github.send({
    of: "organization",
    path: `/artifacts/metadata/${kind}-record`,
    method: "POST",
    subject: `${kind} records of the organization`,
    permission: "artifact-metadata: write",
    body: { name: name.slice(0, MAX_NAME), digest: `sha256:${sha256}`, ...facts, return_records: false },
  });
}

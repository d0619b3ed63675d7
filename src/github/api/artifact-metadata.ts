import * as z from "zod/mini";
import type { GitHub } from "./github-api.ts";
import { number } from "./lenient.ts";

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

import type { PodEntry } from "../../../api/resources/reports.ts";
import { withPatterns } from "../../judging/patterns/with-patterns.ts";
import type { Organization } from "../../kernel/caller.ts";
import { invalidInput } from "../../kernel/errors.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { requestContextOf, type Sender } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { requireReportedEnvironment, wrongType } from "../environments/records.ts";
import { attachedPolicies } from "../policies/versions.ts";
import {
  type Instance,
  isUndetermined,
  type ReportEntry,
  type RunningArtifact,
  runningArtifacts,
} from "../running/artifact.ts";
import { type EvaluationContext, takeSnapshot } from "./take-snapshot.ts";

interface ReportCall<Entry> extends Sender {
  readonly params: { envName: string };
  readonly body: { artifacts: Entry[] };
}

type ReportHandler<Entry> = (
  call: ReportCall<Entry>,
  context: ServiceContext,
) => Promise<{ status: 200 | 201; body: string }>;

/** Handles reports of one kind. Only the details of instances differ by kind. */
function reportsOf<Entry extends ReportEntry>(
  kind: string,
  instanceOf: (entry: Entry) => Instance,
): ReportHandler<Entry> {
  return async (call, context) => {
    const { org, params, body } = call;
    const { store, patterns } = context;
    const running = runningArtifacts(body.artifacts, instanceOf);
    const undetermined = isUndetermined(body.artifacts.length, running);
    const report = { environmentName: params.envName, kind, running, undetermined };
    const number = await withPatterns({ patterns, orgId: org.id }, (answers) =>
      store.write((db) => {
        const by = requestContextOf(call, context);
        return recordReport(db, org, report, { patterns: answers, by });
      }),
    );
    if (number === undefined) {
      return { status: 200, body: "Report processed successfully, no new snapshots to create" };
    }
    return { status: 201, body: `Report processed successfully, snapshot #${number} created` };
  };
}

interface TaskEntry extends ReportEntry {
  taskArn: string;
  clusterName?: string | null | undefined;
  serviceName?: string | null | undefined;
}

interface AppEntry extends ReportEntry {
  appName: string;
  appKind: string;
  digestsSource: string;
}

interface RunEntry extends ReportEntry {
  kind: string;
  serviceName?: string | null | undefined;
  revisionName?: string | null | undefined;
  jobName?: string | null | undefined;
}

const plainInstance = ({ creationTimestamp }: ReportEntry): Instance => ({ creationTimestamp });

export const reportK8S = reportsOf<PodEntry>("K8S", ({ podName, namespace, creationTimestamp, owners }) => ({
  podName,
  namespace,
  creationTimestamp,
  owners: owners ?? [],
}));
export const reportECS = reportsOf<TaskEntry>(
  "ECS",
  ({ taskArn, clusterName = null, serviceName = null, creationTimestamp }) => ({
    taskArn,
    clusterName,
    serviceName,
    creationTimestamp,
  }),
);
export const reportS3 = reportsOf("S3", plainInstance);
export const reportLambda = reportsOf("lambda", plainInstance);
export const reportServer = reportsOf("server", plainInstance);
export const reportDocker = reportsOf("docker", plainInstance);
export const reportAzureApps = reportsOf<AppEntry>(
  "azure-apps",
  ({ appName, appKind, digestsSource, creationTimestamp }) => ({
    appName,
    appKind,
    digestsSource,
    creationTimestamp,
  }),
);
export const reportCloudRun = reportsOf<RunEntry>(
  "cloud-run",
  ({ kind, serviceName = null, revisionName = null, jobName = null, creationTimestamp }) => ({
    kind,
    serviceName,
    revisionName,
    jobName,
    creationTimestamp,
  }),
);

interface EnvironmentReport {
  environmentName: string;
  /** Environment type. */
  kind: string;
  running: readonly RunningArtifact[];
  /** Whether no running artifact has a known fingerprint. */
  undetermined: boolean;
}

/**
 * Creates a snapshot if the latest one no longer applies and the report identifies the running artifacts.
 *
 * @returns the number of the new snapshot
 * @throws Invalid or NotFound, UnansweredPatterns
 */
export async function recordReport(
  db: Database,
  org: Organization,
  { environmentName, kind, running, undetermined }: EnvironmentReport,
  evaluation: EvaluationContext,
): Promise<number | undefined> {
  const {
    environment,
    latest,
    policies: attached,
  } = await requireReportedEnvironment(db, org, environmentName);
  refuseOtherType(environment, kind);
  const isUnknown = undetermined && environment.last_reported_at !== null;
  const policies = attached === 0 ? [] : await attachedPolicies(db, environment.id);
  const snapshot = isUnknown
    ? undefined
    : await takeSnapshot(db, running, { org, environment, policies, latest, reported: true, ...evaluation });
  await db
    .updateTable("environments")
    .set({ last_reported_at: evaluation.by.now, ...(snapshot && { latest_snapshot_id: snapshot.id }) })
    .where("id", "=", environment.id)
    .execute();
  return snapshot?.number;
}

function refuseOtherType({ name, type }: { name: string; type: string }, kind: string): void {
  if (type === "logical") {
    throw wrongType(`cannot report a snapshot to the logical environment ${name}`);
  }
  if (type !== kind) {
    throw invalidInput(
      { type: `Environment '${name}' has the type '${type}' [input: ${kind}]` },
      { code: "environment.type_mismatch", message: "Invalid report data" },
    );
  }
}

import type { PodEntry } from "../../../api/resources/reports.ts";
import { recordReport } from "../../environments/reports/record-report.ts";
import { withPatterns } from "../../judging/patterns/with-patterns.ts";
import type { Caller } from "../../kernel/caller.ts";
import type { Organization } from "../../kernel/organization.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { type Instance, isUndetermined, type ReportEntry, runningArtifacts } from "../running/artifact.ts";

/** A report, whatever its kind. */
interface ReportCall<Entry> {
  readonly org: Organization;
  readonly caller: Pick<Caller, "workflow">;
  readonly params: { envName: string };
  readonly body: { artifacts: Entry[] };
}

type ReportHandler<Entry> = (
  call: ReportCall<Entry>,
  context: ServiceContext,
) => Promise<{ status: 200 | 201; body: string }>;

/** Takes the reports of one kind. What runs is the same for all; how an instance looks is the kind's own. */
function reportsOf<Entry extends ReportEntry>(
  kind: string,
  instanceOf: (entry: Entry) => Instance,
): ReportHandler<Entry> {
  return async ({ org, caller, params, body }, context) => {
    const { store, patterns, now } = context;
    const made = caller.workflow === undefined ? {} : { workflow: caller.workflow };
    const running = runningArtifacts(body.artifacts, instanceOf);
    const undetermined = isUndetermined(body.artifacts.length, running);
    const report = { environmentName: params.envName, kind, running, undetermined };
    const number = await withPatterns({ patterns, orgId: org.id }, (answers) =>
      store.write((db) => recordReport(db, org, report, { ...made, patterns: answers, context, now: now() })),
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

export const handleReportK8S = reportsOf<PodEntry>(
  "K8S",
  ({ podName, namespace, creationTimestamp, owners }) => ({
    podName,
    namespace,
    creationTimestamp,
    owners: owners ?? [],
  }),
);
export const handleReportECS = reportsOf<TaskEntry>(
  "ECS",
  ({ taskArn, clusterName = null, serviceName = null, creationTimestamp }) => ({
    taskArn,
    clusterName,
    serviceName,
    creationTimestamp,
  }),
);
export const handleReportS3 = reportsOf("S3", plainInstance);
export const handleReportLambda = reportsOf("lambda", plainInstance);
export const handleReportServer = reportsOf("server", plainInstance);
export const handleReportDocker = reportsOf("docker", plainInstance);
export const handleReportAzureApps = reportsOf<AppEntry>(
  "azure-apps",
  ({ appName, appKind, digestsSource, creationTimestamp }) => ({
    appName,
    appKind,
    digestsSource,
    creationTimestamp,
  }),
);
export const handleReportCloudRun = reportsOf<RunEntry>(
  "cloud-run",
  ({ kind, serviceName = null, revisionName = null, jobName = null, creationTimestamp }) => ({
    kind,
    serviceName,
    revisionName,
    jobName,
    creationTimestamp,
  }),
);

import { type ActionContext, type Checked, defineAction, githubToken } from "../github/step/action.ts";
import { flag, type ValuesOf } from "../github/step/input.ts";
import { environmentUrl } from "./links.ts";
import {
  outcomeCell,
  outputs,
  type Report,
  type ReportEnvResult,
  readRunning,
  sendReport,
} from "./report-env/report.ts";
import {
  DEFAULT_TEMPLATE,
  environmentInputs,
  type Target,
  targetInputs,
  targetProblems,
  USED_BY,
} from "./report-env/target.ts";
import { onUnavailable } from "./unavailable.ts";

const inputs = {
  ...environmentInputs,
  "github-deployment-records": flag({
    default: "false",
    description:
      "Whether to report the running images to GitHub, as deployment records of the organization's linked artifacts. If GitHub refuses a record, this is a warning.",
  }),
  "github-token": githubToken("Token that writes the deployment records; needs `artifact-metadata: write`."),
  ...onUnavailable,
};

type Values = ValuesOf<typeof inputs>;

export const reportEnv = defineAction({
  name: "report-env",
  title: "Report what runs in an environment",
  description: "Reports what runs in Kubernetes, Docker, AWS, Azure, Google Cloud or on a server.",
  inputs,
  outputs,
  fields: { env_name: "environment", name: "environment" },
  usedBy: { choice: "type", values: USED_BY },
  check,
  run,
});

/** The environment of the inputs, those listed in a file, or those of a cloud. */
type Wanted =
  | { readonly config: string; readonly values: Values }
  | { readonly template: string; readonly values: Values }
  | (Values & Target);

/** Inputs that apply to each discovered environment. */
const OF_DISCOVERY = ["aws-region", "aws-role"];

function check(values: Values, given: ReadonlySet<string>): Checked<Wanted> {
  const { environment, config, discover, environmentTemplate: template = DEFAULT_TEMPLATE } = values;
  if (discover !== undefined) {
    const problems = ["environment", "config", ...Object.keys(targetInputs)]
      .filter((input) => given.has(input) && !OF_DISCOVERY.includes(input))
      .map((input) => ({ input, problem: "cannot be used with discover" }));
    return problems.length > 0 ? { problems } : { values: { template, values } };
  }
  if (given.has("environment-template"))
    return { problems: [{ input: "environment-template", problem: "needs discover" }] };
  if (config !== undefined) {
    const problems = ["environment", "pods-file", "paths"]
      .filter((input) => given.has(input))
      .map((input) => ({ input, problem: "cannot be used with `config`: set it in the file's entries" }));
    return problems.length > 0 ? { problems } : { values: { config, values } };
  }
  const problems = targetProblems(values, given);
  if (environment === undefined) {
    const problem = "is required, unless config or discover is set";
    return { problems: [{ input: "environment", problem, missing: true }, ...problems] };
  }
  return problems.length > 0 ? { problems } : { values: { ...values, environment } };
}

async function run(wanted: Wanted, context: ActionContext): Promise<ReportEnvResult> {
  if ("values" in wanted) return reportSeveral(wanted, context);
  const { environment } = wanted;
  const running = await readRunning(wanted, context);
  const report = await sendReport(wanted, running, wanted, context);
  await reportToGitHub([report], wanted, context);
  return {
    outputs: {
      status: report.status,
      "pod-count": String(running.count),
      "snapshot-created": String(report.snapshotCreated),
      message: report.message,
      results: "",
    },
    summary: {
      heading: `Environment ${environment}: ${report.status}`,
      rows: [
        ["Cluster", running.source?.cluster ?? ""],
        ["Context", running.source?.context ?? ""],
        [running.things.replace(/^./, (letter) => letter.toUpperCase()), String(running.count)],
        ["Outcome", outcomeCell(environment, report.message, context.connection)],
      ],
      tables: [running.table],
      link: { text: "Open the environment", url: environmentUrl(context.connection, environment) },
    },
  };
}

/** Loaded only for several environments. */
async function reportSeveral(
  wanted: Extract<Wanted, { values: Values }>,
  context: ActionContext,
): Promise<ReportEnvResult> {
  const { values } = wanted;
  const { reportEach } = await import("./report-env/several.ts");
  const { severalOutcome } = await import("./report-env/outcome.ts");
  const { targets, failed } =
    "config" in wanted
      ? await targetsOfFile(wanted.config, values, context)
      : await (await import("./report-env/discovery.ts")).discoverAws(wanted.template, values, context);
  const attempts = [...failed, ...(await reportEach(targets, values, context))];
  const reports = attempts.flatMap((attempt) => ("report" in attempt ? attempt.report : []));
  await reportToGitHub(reports, values, context);
  return severalOutcome(attempts, context.connection);
}

async function targetsOfFile(path: string, defaults: Values, { runner }: ActionContext) {
  const { readConfig } = await import("./report-env/config.ts");
  const workspace = runner.workspace ?? process.cwd();
  return { targets: await readConfig({ path, workspace, defaults }), failed: [] };
}

/** Loaded only when needed. Reports remain recorded even if GitHub refuses the deployment records. */
async function reportToGitHub(
  reports: readonly Report[],
  values: Values,
  context: ActionContext,
): Promise<void> {
  if (!values.githubDeploymentRecords) return;
  const { reportDeployments } = await import("./report-env/deployment-records.ts");
  await reportDeployments(reports, values.githubToken, context);
}

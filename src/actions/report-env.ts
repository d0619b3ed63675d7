import { type ActionContext, type Checked, defineAction } from "../github/action.ts";
import { choice, text, type ValuesOf } from "../github/input.ts";
import { outputs, type ReportEnvResult } from "./report-env/outputs.ts";
import { type Report, readPods, sendReport } from "./report-env/report.ts";
import { type Target, targetInputs, targetProblems } from "./report-env/target.ts";
import { onUnavailable } from "./unavailable.ts";

const inputs = {
  environment: text({ description: "The environment that is reported. Either it or `config` is required." }),
  config: text({
    description:
      "A YAML file that lists several environments to report, each with `environment` and fields named as the inputs from `kubeconfig` to `create-environment`; what an entry does not say is taken from the step. One that fails does not keep the others back.",
  }),
  type: choice({ choices: ["K8S"], default: "K8S", description: "What kind of environment it is." }),
  ...targetInputs,
  ...onUnavailable,
};

type Values = ValuesOf<typeof inputs>;

export const reportEnv = defineAction({
  name: "report-env",
  title: "Report a Kubernetes environment",
  description: "Report the pods that run in a Kubernetes environment, from the cluster or from a file.",
  inputs,
  outputs,
  fields: { env_name: "environment", name: "environment" },
  check,
  run,
});

/** What to report: the one environment of the inputs, or those that a file lists. */
type Wanted = { readonly config: string; readonly values: Values } | (Values & Target);

function check(values: Values, given: ReadonlySet<string>): Checked<Wanted> {
  const { environment, config } = values;
  if (config !== undefined) {
    const problems = ["environment", "pods-file"]
      .filter((input) => given.has(input))
      .map((input) => ({ input, problem: "excludes config: give it in the entries of the file" }));
    return problems.length > 0 ? { problems } : { values: { config, values } };
  }
  const problems = targetProblems(given);
  if (environment === undefined) {
    const problem = "is required, unless config lists several";
    return { problems: [{ input: "environment", problem, missing: true }, ...problems] };
  }
  return problems.length > 0 ? { problems } : { values: { ...values, environment } };
}

async function run(wanted: Wanted, context: ActionContext): Promise<ReportEnvResult> {
  if ("values" in wanted) return reportSeveral(wanted.config, wanted.values, context);
  const { environment } = wanted;
  const report = await sendReport(wanted, await readPods(wanted, context), wanted, context);
  return {
    outputs: {
      status: report.status,
      "pod-count": String(report.pods.length),
      "snapshot-created": String(report.snapshotCreated),
      message: report.message,
      results: "",
    },
    summary: {
      heading: `Environment ${environment}: ${report.status}`,
      mark: "neutral",
      columns: ["", ""],
      rows: [
        ["Pods", String(report.pods.length)],
        ["Outcome", report.message],
      ].filter(([, value]) => value !== ""),
      tables: [{ columns: ["Namespace", "Pods"], rows: podsByNamespace(report), most: 15 }],
    },
  };
}

/** Loads what only this needs: most steps report one environment. */
async function reportSeveral(path: string, values: Values, context: ActionContext): Promise<ReportEnvResult> {
  const { readConfig } = await import("./report-env/config.ts");
  const { reportEach } = await import("./report-env/several.ts");
  const { severalOutcome } = await import("./report-env/outcome.ts");
  const workspace = context.runner.workspace ?? process.cwd();
  const targets = await readConfig({ path, workspace, defaults: values });
  return severalOutcome(await reportEach(targets, values, context));
}

/** The fullest first: where there are many, the last are not shown. */
function podsByNamespace({ pods }: Report): string[][] {
  const counts = new Map<string, number>();
  for (const { namespace } of pods) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  return [...counts]
    .sort(([a, few], [b, many]) => many - few || (a < b ? -1 : 1))
    .map(([namespace, count]) => [namespace, String(count)]);
}

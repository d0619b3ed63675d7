import type { InputProblem } from "../../api/client/errors.ts";
import { choice, flag, lines, list, text, type ValuesOf } from "../../github/step/input.ts";
import { inputKey } from "../../github/step/inputs.ts";

/** Types of environments, as the service names them. */
const TYPES = ["K8S", "docker", "server", "ECS", "lambda", "S3", "azure-apps", "cloud-run"] as const;

/** Inputs of the step, and fields of an entry of a config file. */
export const targetInputs = {
  type: choice({
    choices: TYPES,
    anyCase: true,
    default: "K8S",
    description:
      "Type of the environment: the pods of a Kubernetes cluster, the running containers of a Docker engine, files and directories of a server, the tasks of Amazon ECS, the functions of AWS Lambda, the content of an Amazon S3 bucket, the web and function apps of Azure, or the services and jobs of Google Cloud Run.",
  }),
  kubeconfig: text({ description: "Path of a kubeconfig file. Default: kubectl's default." }),
  context: text({ description: "Kubeconfig context. Default: the current context." }),
  namespaces: list({ description: "Namespaces to report. Default: all." }),
  "namespaces-regex": list({
    description: "Regular expressions for the namespaces to report.",
  }),
  "exclude-namespaces": list({ description: "Namespaces to exclude." }),
  "exclude-namespaces-regex": list({ description: "Regular expressions for the namespaces to exclude." }),
  "pods-file": text({
    description:
      "File with the output of `kubectl get pods --all-namespaces -o json`, read instead of the cluster.",
  }),
  paths: lines({
    description:
      "Paths and globs to report, one per line, as `path` or `name=path`. Required for `server`. Each file or directory is one artifact. Its default name is its absolute path. `!path` excludes a path.",
  }),
  include: lines({
    description:
      "Names to report, one per line: clusters of ECS, functions of Lambda, apps of Azure, services and jobs of Cloud Run; for S3, beginnings of keys. Default: all.",
  }),
  "include-regex": lines({
    description: "Regular expressions for the names to report, one per line. They match anywhere in a name.",
  }),
  exclude: lines({
    description:
      "Names to leave out, one per line, as for `include`. For `server`: globs to leave out of each directory, relative to it.",
  }),
  "exclude-regex": lines({ description: "Regular expressions for the names to leave out, one per line." }),
  services: lines({ description: "Services of ECS to report, one per line. Default: all." }),
  "services-regex": lines({
    description: "Regular expressions for the services of ECS to report, one per line.",
  }),
  "exclude-services": lines({ description: "Services of ECS to leave out, one per line." }),
  "exclude-services-regex": lines({
    description: "Regular expressions for the services of ECS to leave out, one per line.",
  }),
  "standalone-tasks": flag({
    default: "true",
    description: "Whether to report tasks of ECS that no service started, if `services` names none.",
  }),
  bucket: text({ description: "Name of the bucket. Required for `S3`." }),
  "aws-region": text({
    description:
      "Region of AWS; with `discover`, one or several, separated by commas. Default: `AWS_REGION`.",
  }),
  "aws-role": text({
    description:
      "ARN of a role of AWS that trusts this workflow, so that no key is needed. Default: the login of the job.",
  }),
  "azure-client-id": text({
    description:
      "Client ID of an application of Azure that trusts this workflow, so that no secret is needed. Default: the login of the job.",
  }),
  "azure-tenant-id": text({ description: "Tenant of Azure. Default: `AZURE_TENANT_ID`." }),
  "azure-subscription-id": text({ description: "Subscription of Azure. Default: `AZURE_SUBSCRIPTION_ID`." }),
  "azure-resource-group": text({ description: "Resource group of the apps. Required for `azure-apps`." }),
  "azure-digests": choice({
    choices: ["acr", "logs"],
    default: "acr",
    description:
      "Source of the digests of Azure's container apps: `acr` asks the registry for the tag as it is now, `logs` reads what the app pulled.",
  }),
  "google-project": text({ description: "Project of Google Cloud. Required for `cloud-run`." }),
  "google-region": text({ description: "Region of Google Cloud. Required for `cloud-run`." }),
  "google-identity-provider": text({
    description:
      "Full name of a workload identity provider that trusts this workflow: `projects/NUMBER/locations/global/workloadIdentityPools/POOL/providers/PROVIDER`. Default: the login of the job.",
  }),
  "google-service-account": text({
    description: "Service account of Google Cloud to act as, with `google-identity-provider`.",
  }),
  "resolve-names": flag({
    default: "false",
    description: "Whether to name images of Cloud Run that are given by digest by their tag in the registry.",
  }),
  "allow-empty": flag({
    default: "false",
    description:
      "Whether to accept that nothing runs, or that one of `paths` does not exist. Otherwise, this is an error.",
  }),
  "create-environment": flag({
    default: "false",
    description: "Whether to create the environment if it does not exist.",
  }),
};

export const DEFAULT_TEMPLATE = "{account}-{type}-{name}";

/** One environment, several that a file lists, or those of an account. */
export const environmentInputs = {
  environment: text({ description: "Name of the environment. Required without `config` or `discover`." }),
  config: text({
    description:
      "YAML file that lists several environments. Each entry has `environment` and fields of the same names as here, from `type` to `create-environment`. Values given here apply to entries without them. A failed entry does not stop the others.",
  }),
  discover: choice({
    choices: ["aws"],
    description:
      "Cloud to discover: reports each ECS cluster, the Lambda functions of each region, and each bucket with the tag `evidence:environment` as its own environment. `aws-region` may then list several regions. Missing environments are created.",
  }),
  "environment-template": text({
    description: `Names of discovered environments, from \`{account}\`, \`{region}\`, \`{type}\` and \`{name}\`. Default: \`${DEFAULT_TEMPLATE}\`.`,
  }),
  ...targetInputs,
};

export type TargetValues = ValuesOf<typeof targetInputs>;
export type EnvironmentType = TargetValues["type"];

export interface Target extends TargetValues {
  readonly environment: string;
  /** Description of the environment, if it is created. */
  readonly description?: string;
  /** Whether discovery no longer finds what the environment showed: nothing is read, and nothing runs. */
  readonly isGone?: true;
}

type TypesByInput = Readonly<Record<string, readonly EnvironmentType[]>>;

const AWS: readonly EnvironmentType[] = ["ECS", "lambda", "S3"];
const CLOUDS: readonly EnvironmentType[] = [...AWS, "azure-apps", "cloud-run"];

const K8S_INPUTS = ["kubeconfig", "context", "pods-file"];
const NAMESPACES = ["namespaces", "namespaces-regex", "exclude-namespaces", "exclude-namespaces-regex"];
const SERVICES = ["services", "services-regex", "exclude-services", "exclude-services-regex"];

/** Inputs that only some types use. */
export const USED_BY: TypesByInput = {
  ...usedBy(["K8S"], [...K8S_INPUTS, ...NAMESPACES]),
  ...usedBy(["server"], ["paths"]),
  ...usedBy(["server", ...CLOUDS], ["exclude"]),
  ...usedBy(CLOUDS, ["include", "include-regex", "exclude-regex"]),
  ...usedBy(["ECS"], [...SERVICES, "standalone-tasks"]),
  ...usedBy(["S3"], ["bucket"]),
  ...usedBy(AWS, ["aws-region", "aws-role"]),
  ...usedBy(
    ["azure-apps"],
    [
      ...["azure-client-id", "azure-tenant-id", "azure-subscription-id"],
      ...["azure-resource-group", "azure-digests"],
    ],
  ),
  ...usedBy(
    ["cloud-run"],
    [
      ...["google-project", "google-region", "google-identity-provider"],
      ...["google-service-account", "resolve-names"],
    ],
  ),
};

const REQUIRED: Partial<Record<EnvironmentType, readonly (keyof typeof targetInputs)[]>> = {
  server: ["paths"],
  S3: ["bucket"],
  "azure-apps": ["azure-resource-group"],
  "cloud-run": ["google-project", "google-region"],
};

function usedBy(types: readonly EnvironmentType[], inputs: readonly string[]): TypesByInput {
  return Object.fromEntries(inputs.map((input) => [input, types]));
}

/** Inputs that exclude or require each other. */
export function targetProblems(values: TargetValues, given: ReadonlySet<string>): InputProblem[] {
  const { type } = values;
  const problems: InputProblem[] = Object.entries(USED_BY)
    .filter(([input, users]) => given.has(input) && !users.includes(type))
    .map(([input]) => ({ input, problem: `is not used by type: ${type}` }));
  for (const input of REQUIRED[type] ?? []) {
    const value: unknown = Reflect.get(values, inputKey(input));
    if (value === undefined || (Array.isArray(value) && value.length === 0))
      problems.push({ input, problem: `is required for type: ${type}`, missing: true });
  }
  if (type === "K8S" && given.has("pods-file")) {
    for (const input of ["kubeconfig", "context"].filter((each) => given.has(each)))
      problems.push({ input, problem: "is not used with pods-file" });
  }
  return problems;
}

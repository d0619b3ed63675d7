export interface Kubectl {
  /** A name on the PATH of `env`, or a path. */
  program: string;
  kubeconfig?: string | undefined;
  context?: string | undefined;
  /** kubectl's whole environment. The caller removes secrets. */
  env: Readonly<Record<string, string>>;
  /** Ends every process at once. */
  signal: AbortSignal;
  /** Timeout of one response in milliseconds, including the login before it; two minutes by default. */
  timeoutMs?: number | undefined;
}

/** Contexts named in a message. A kubeconfig can contain hundreds. */
const MOST_NAMED = 10;

/** Advice for a context that the kubeconfig lacks. Needs no timeout: kubectl has just read the file. */
export async function contextAdvice(kubectl: Kubectl): Promise<string> {
  const names = await contextNames(kubectl).catch(() => []);
  if (names.length === 0) return "Run `kubectl config get-contexts` to list the contexts of the kubeconfig.";
  const named = names.slice(0, MOST_NAMED).map((name) => `'${name}'`);
  const more = names.length - named.length;
  return `The kubeconfig has the contexts ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

export interface ClusterName {
  readonly context: string;
  readonly cluster: string;
}

/** The current context; undefined if kubectl reports none, as in a pod without a kubeconfig. */
export async function currentCluster(kubectl: Kubectl): Promise<ClusterName | undefined> {
  // Only these fields: the file also contains credentials.
  const fields = '--output=jsonpath={.contexts[0].name}{"\\n"}{.clusters[0].name}';
  const given = kubectl.context ? [`--context=${kubectl.context}`] : [];
  const [context = "", cluster = ""] = await configLines(kubectl, ["view", "--minify", fields, ...given]);
  return context === "" ? undefined : { context, cluster };
}

async function contextNames(kubectl: Kubectl): Promise<string[]> {
  const lines = await configLines(kubectl, ["get-contexts", "--output=name"]);
  return lines.filter((name) => name !== "");
}

async function configLines({ program, kubeconfig, env }: Kubectl, command: string[]): Promise<string[]> {
  const { getExecOutput } = await import("@actions/exec");
  const file = kubeconfig ? [`--kubeconfig=${kubeconfig}`] : [];
  const args = ["config", ...command, ...file];
  const options = { env: { ...env }, silent: true, ignoreReturnCode: true };
  const { exitCode, stdout } = await getExecOutput(`"${program}"`, args, options);
  return exitCode === 0 ? stdout.split(/\r?\n/) : [];
}

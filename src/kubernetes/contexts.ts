import type { Kubectl } from "./kubectl-options.ts";

/** A kubeconfig can hold hundreds; a message with these many can still be read. */
const MOST_NAMED = 10;

/**
 * What to do about a context that the kubeconfig does not hold: the names that it holds, where kubectl tells them.
 * Kubectl has read the file a moment ago, so this takes no time worth a limit.
 */
export async function contextAdvice(kubectl: Kubectl): Promise<string> {
  const names = await contextNames(kubectl).catch(() => []);
  if (names.length === 0) return "`kubectl config get-contexts` lists what the kubeconfig holds.";
  const named = names.slice(0, MOST_NAMED).map((name) => `'${name}'`);
  const more = names.length - named.length;
  return `The kubeconfig holds ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

/** A context of a kubeconfig, and the cluster that it leads to. */
export interface ClusterName {
  readonly context: string;
  readonly cluster: string;
}

/** The context in use; undefined where kubectl does not tell, as in a pod that has no kubeconfig. */
export async function currentCluster(kubectl: Kubectl): Promise<ClusterName | undefined> {
  // These fields alone: the file also holds credentials.
  const fields = '--output=jsonpath={.contexts[0].name}{"\\n"}{.clusters[0].name}';
  const given = kubectl.context ? [`--context=${kubectl.context}`] : [];
  const [context = "", cluster = ""] = await configLines(kubectl, ["view", "--minify", fields, ...given]);
  return context === "" ? undefined : { context, cluster };
}

async function contextNames(kubectl: Kubectl): Promise<string[]> {
  const lines = await configLines(kubectl, ["get-contexts", "--output=name"]);
  return lines.filter((name) => name !== "");
}

async function configLines({ program, kubeconfig, env }: Kubectl, asked: string[]): Promise<string[]> {
  const { getExecOutput } = await import("@actions/exec");
  const file = kubeconfig ? [`--kubeconfig=${kubeconfig}`] : [];
  const args = ["config", ...asked, ...file];
  const options = { env: { ...env }, silent: true, ignoreReturnCode: true };
  const { exitCode, stdout } = await getExecOutput(`"${program}"`, args, options);
  return exitCode === 0 ? stdout.split(/\r?\n/) : [];
}

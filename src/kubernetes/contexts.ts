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

async function contextNames({ program, kubeconfig, env }: Kubectl): Promise<string[]> {
  const { getExecOutput } = await import("@actions/exec");
  const file = kubeconfig ? [`--kubeconfig=${kubeconfig}`] : [];
  const args = ["config", "get-contexts", "--output=name", ...file];
  const options = { env: { ...env }, silent: true, ignoreReturnCode: true };
  const { exitCode, stdout } = await getExecOutput(`"${program}"`, args, options);
  return exitCode === 0 ? stdout.split(/\r?\n/).filter((name) => name !== "") : [];
}

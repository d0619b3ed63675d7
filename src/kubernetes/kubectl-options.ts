/** How to call kubectl. */
export interface Kubectl {
  /** The program: a name on the PATH of `env`, or a path. */
  program: string;
  kubeconfig?: string | undefined;
  context?: string | undefined;
  /** All of its environment; nothing is added. */
  env: Readonly<Record<string, string>>;
  /** Ends every process at once. */
  signal: AbortSignal;
  /** How long one answer may take, in milliseconds, with the login before it; two minutes unless given. */
  timeoutMs?: number | undefined;
}

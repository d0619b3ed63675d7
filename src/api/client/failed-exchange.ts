/** Who was asked for what when something failed. */
export interface Exchange {
  readonly host: string;
  readonly proxy?: string | undefined;
  /** The operation's name, where it was one. */
  readonly operation?: string;
  /** The HTTP status, where there was an answer. */
  readonly status?: number | undefined;
  readonly attempts?: number;
}

/**
 * A message that begins with the cause, because that is what tells the reader what to do.
 *
 * @example
 * failed("connection refused", { host: "evidence.example.com", operation: "attestGeneric", attempts: 4 });
 * // connection refused (evidence.example.com, attestGeneric, 4 attempts)
 */
export function failed(cause: string, { host, proxy, operation, status, attempts = 1 }: Exchange): string {
  const facts = [
    proxy === undefined ? host : `${host} through the proxy ${proxy}`,
    operation,
    status === undefined ? undefined : `status ${status}`,
    attempts > 1 ? `${attempts} attempts` : undefined,
  ];
  return `${cause} (${facts.filter((fact) => fact !== undefined).join(", ")})`;
}

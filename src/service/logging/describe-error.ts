/** An error and its causes, each with the place it comes from. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `; caused by ${describeError(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

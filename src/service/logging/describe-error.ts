/** An error and its causes, each with the place it comes from. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `; caused by ${describeError(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

/** What an error and its causes say, without the places. */
export function errorText(error: unknown): string {
  const hasCause = error instanceof Error && error.cause !== undefined;
  return hasCause ? `${error}; caused by ${errorText(error.cause)}` : String(error);
}

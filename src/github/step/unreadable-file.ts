/** Why a file cannot be read, to stand after its name. What is not there is another mistake than what is closed. */
export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
}

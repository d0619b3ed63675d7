/** Whether an error has a code, as errors of Node and of databases do. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

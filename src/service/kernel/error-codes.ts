/** Whether an error has a code, as those of Node and of databases have. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

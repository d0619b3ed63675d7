/** The first line of a message, which says what it is about. */
export function firstLine(message: string | null | undefined): string {
  return (message ?? "").split("\n", 1)[0] ?? "";
}

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The value of a header; undefined if it is absent or repeated. */
export function headerOf({ headers }: { readonly headers: Headers }, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value.trim() : undefined;
}

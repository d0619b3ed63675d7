/** JSON.parse with source text access, which TypeScript's ES2024 library does not know yet. */
interface JSON {
  parse(
    text: string,
    reviver: (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  /** A value that `JSON.stringify` writes as exactly this text, which must be a JSON scalar. */
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
}

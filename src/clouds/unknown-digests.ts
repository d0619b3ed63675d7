/** Names in a warning. Unknown digests usually have one cause. */
const NAMED = 10;

interface Unknown {
  /** Plural, such as `functions`. */
  readonly things: string;
  readonly names: readonly string[];
  /** `not reported`, or `reported without a digest` */
  readonly outcome: string;
}

/** Warns once of all things whose digest is unknown. */
export function warnOfUnknown({ things, names, outcome }: Unknown, onWarning: (text: string) => void): void {
  if (names.length === 0) return;
  const others = names.length > NAMED ? `, and ${names.length - NAMED} more` : "";
  onWarning(
    `${names.length} ${things} ${outcome}, because the digest is unknown: ${names.slice(0, NAMED).join(", ")}${others}`,
  );
}

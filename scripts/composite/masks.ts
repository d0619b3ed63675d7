/**
 * The secrets of a job. The runner masks each wherever it appears in the log or a summary,
 * including its quoted and encoded forms.
 */
export class Masks {
  readonly #values = new Set<string>();
  readonly #hidden = new Set<string>();

  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.add(secret);
  }

  /** Masks a value from now on, and each of its lines, because output is read line by line. */
  add(secret: string): void {
    for (const value of [secret, ...secret.split(/[\r\n]+/)]) {
      if (value.trim() === "") continue;
      this.#values.add(value);
      for (const form of encodedForms(value)) this.#hidden.add(form);
    }
  }

  /** The masked values, in the order in which they were added. */
  get values(): string[] {
    return [...this.#values];
  }

  /** Replaces each secret in a text by `***`. Secrets that overlap or touch become one `***`. */
  apply(text: string): string {
    const spans = this.#spansIn(text);
    let masked = "";
    let shown = 0;
    for (const { start, end } of spans) {
      masked += `${text.slice(shown, start)}***`;
      shown = end;
    }
    return masked + text.slice(shown);
  }

  #spansIn(text: string): Span[] {
    const found: Span[] = [];
    for (const value of this.#hidden) {
      for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + 1)) {
        found.push({ start, end: start + value.length });
      }
    }
    found.sort((a, b) => a.start - b.start);
    const merged: Span[] = [];
    for (const span of found) {
      const last = merged.at(-1);
      if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end);
      else merged.push({ ...span });
    }
    return merged;
  }
}

interface Span {
  start: number;
  end: number;
}

/**
 * The forms of a secret that the runner masks. Base64 is computed from the first, second and third
 * byte with its padding, so a secret inside a longer encoded text is masked for some lengths only.
 */
function encodedForms(value: string): string[] {
  const bytes = Buffer.from(value);
  const base64 = [0, 1, 2].map((shift) =>
    (bytes.length > shift ? bytes.subarray(shift) : bytes).toString("base64"),
  );
  const unquoted =
    value.length > 8 && value.startsWith('"') && value.endsWith('"') ? [value.slice(1, -1)] : [];
  return [
    value,
    ...base64,
    ...unquoted,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    value.replaceAll("'", "''"),
    value.replaceAll('"', '\\"'),
    value
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&apos;"),
  ];
}

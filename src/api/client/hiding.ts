/** The value of a commit's field that its sender leaves out on purpose. */
export const REDACTED = "**REDACTED**";

/** Shorter texts stand in other words by chance. */
const MIN_HIDDEN = 4;

/** Takes secrets out of a text, as they are and as an address or JSON has them: services echo what they were sent. */
export function hiding(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .filter(({ length }) => length >= MIN_HIDDEN)
    .flatMap((secret) => {
      const encoded = encodeURIComponent(secret);
      // `URL` writes an apostrophe in another way.
      return [secret, encoded, encoded.replaceAll("'", "%27"), JSON.stringify(secret).slice(1, -1)];
    })
    .sort((one, other) => other.length - one.length);
  return (text) => forms.reduce((left, form) => left.replaceAll(form, "***"), text);
}

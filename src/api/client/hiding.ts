/** Value of a commit field that the sender omits on purpose. */
export const REDACTED = "**REDACTED**";

/** Minimum length of a hidden text. Shorter texts occur in other words by chance. */
const MIN_HIDDEN = 4;

/** Replaces secrets in a text, also as encoded in addresses and JSON, because services echo requests. */
export function hiding(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .filter(({ length }) => length >= MIN_HIDDEN)
    .flatMap((secret) => {
      const encoded = encodeURIComponent(secret);
      // `URL` encodes an apostrophe differently.
      return [secret, encoded, encoded.replaceAll("'", "%27"), JSON.stringify(secret).slice(1, -1)];
    })
    .sort((one, other) => other.length - one.length);
  return (text) => forms.reduce((left, form) => left.replaceAll(form, "***"), text);
}

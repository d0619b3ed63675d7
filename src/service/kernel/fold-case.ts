/**
 * A text in the form that it shares with its other letter cases, in every script: `Straße`, `STRASSE` and `strasse`
 * have one form. To lower case first, since only that takes `ẞ` to `ß`; then to upper case, where `ß` is `SS` and
 * both forms of sigma are one. An accent may be written as a letter of its own; composed, the two are the same.
 */
export function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase().toUpperCase().normalize("NFC");
}

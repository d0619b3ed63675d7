/** Only lower case maps `ẞ` to `ß`, and only upper case maps `ß` to `SS` and both sigmas to one. */
export function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase().toUpperCase().normalize("NFC");
}

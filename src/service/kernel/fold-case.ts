/** Only lower case takes `ẞ` to `ß`, and only upper case takes `ß` to `SS` and both sigmas to one. */
export function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase().toUpperCase().normalize("NFC");
}

/**
 * Makes untrusted text (from a server, a file name, a commit) safe to print: the runner executes lines that begin with
 * `::` and `##[` anywhere, and a terminal executes control characters.
 */
export function neutralize(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes.
      .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "")
      .replace(/\r\n?/g, "\n")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes.
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\ufffd")
      // Spaces of this line only: over all lines, it would take minutes for a text of empty lines.
      .replace(/^([^\S\n\u2028\u2029]*):(?=:)/gm, "$1: ")
      .replaceAll("##[", "## [")
  );
}

/** Cuts text to a number of characters, with an ellipsis at the end. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/**
 * Escapes text so that Markdown and HTML show it unchanged in one table cell. GitHub links `www.` and email addresses
 * even without markup. It finds addresses after decoding the text, so a break follows each `@`.
 */
export function markdown(text: string): string {
  return neutralize(text)
    .replace(/[&<>|`*_~#![\](){}\\@:$]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll("&#64;", "&#64;<wbr>")
    .replace(/(www)\./gi, "$1&#46;")
    .replace(/\s+/g, (space) => (space.includes("\n") ? " " : space));
}

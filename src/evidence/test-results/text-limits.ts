const MAX_NAME_CHARACTERS = 500;
export const MAX_MESSAGE_CHARACTERS = 1000;
/** How much of a failure's text is kept to look for its place. */
export const MAX_TEXT_CHARACTERS = 16 * 1024;

/** A name, no longer than can be shown. */
export function short(text: string | undefined): string {
  return (text ?? "").trim().slice(0, MAX_NAME_CHARACTERS);
}

export function firstLine(text: string): string {
  return /\S[^\n]*/.exec(text)?.[0].trim() ?? "";
}

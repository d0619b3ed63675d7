import * as z from "zod/mini";

/*
 * Maximum lengths of free texts, in characters. They are far longer than what people write: longer texts belong in
 * attachments. Fields have their own descriptions, so the comments of the schemas are not doc comments.
 */

/** For indexed columns: databases index less than 3 kB, and a character can take 3 bytes. */
const MAX_INDEXED = 512;
const MAX_IDENTIFIER = 256;
const MAX_SHORT = 4 * 1024;
export const MAX_ADDRESS = 8 * 1024;
const MAX_LONG = 64 * 1024;

/** Maximum length of an `Idempotency-Key`, in characters. */
export const MAX_IDEMPOTENCY_KEY = 255;

// Searchable text: the name of a repository, a branch, the value of a tag.
export const indexedText = z.string().check(z.maxLength(MAX_INDEXED));
// External identifier: a commit, a control.
export const identifierText = z.string().check(z.maxLength(MAX_IDENTIFIER));
// Name, word or line.
export const shortText = z.string().check(z.maxLength(MAX_SHORT));
// Description, message or reason.
export const longText = z.string().check(z.maxLength(MAX_LONG));
// Address of any kind. Shown as text, not as a link.
export const addressText = z.string().check(z.maxLength(MAX_ADDRESS));

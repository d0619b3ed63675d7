import * as z from "zod/mini";

/*
 * The limits of texts that are free in every other way, in characters. They are far above what people write: longer
 * texts belong into an attachment.
 */

/** Records are found by it: of what an index holds, databases take less than 3 kB, and a character can take 3 bytes. */
const MAX_INDEXED = 512;
const MAX_IDENTIFIER = 256;
const MAX_SHORT = 4 * 1024;
export const MAX_ADDRESS = 8 * 1024;
const MAX_LONG = 64 * 1024;

/** The longest `Idempotency-Key`, in characters. */
export const MAX_IDEMPOTENCY_KEY = 255;

/** A text that records are found by: the name of a repository, a branch, a tag's value. */
export const indexedText = z.string().check(z.maxLength(MAX_INDEXED));
/** What something is known by elsewhere: a commit, a control. */
export const identifierText = z.string().check(z.maxLength(MAX_IDENTIFIER));
/** A name that somebody else gave, a word, a line. */
export const shortText = z.string().check(z.maxLength(MAX_SHORT));
/** A description, a message, a reason. */
export const longText = z.string().check(z.maxLength(MAX_LONG));
/** An address of any kind: it is shown as text, not as a link. */
export const addressText = z.string().check(z.maxLength(MAX_ADDRESS));

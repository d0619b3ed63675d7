import * as z from "zod/mini";

/*
 * The limits of texts that are free in every other way, in characters. They are far above what people write: longer
 * texts belong into an attachment.
 */

const MAX_SHORT = 4 * 1024;
export const MAX_ADDRESS = 8 * 1024;
const MAX_LONG = 64 * 1024;

/** A name that somebody else gave, a word, a line. */
export const shortText = z.string().check(z.maxLength(MAX_SHORT));
/** A description, a message, a reason. */
export const longText = z.string().check(z.maxLength(MAX_LONG));
/** An address of any kind: it is shown as text, not as a link. */
export const addressText = z.string().check(z.maxLength(MAX_ADDRESS));

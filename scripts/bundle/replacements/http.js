/*
 * What undici imports of node:http. It makes its connections itself, and the module takes as long to load as a third of
 * undici.
 */

/** The most bytes of an answer's headers: Node's own limit. */
export const maxHeaderSize = 16 * 1024;

/** undici looks whether a body that it is given is one; ours never are. */
export class IncomingMessage {}

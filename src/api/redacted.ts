/** The value of a commit's field that its sender leaves out on purpose. */
export const REDACTED = "**REDACTED**";

// Narrower than what RFC 5322 allows: no quotes, no comments, no groups, no lists. What is sent is this one address.
const LOCAL_PART = /^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}$/;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const MAX_LENGTH = 254;

/** Whether a text is one plain address, such as `team@example.com`. */
export function isMailAddress(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const at = text.lastIndexOf("@");
  return LOCAL_PART.test(text.slice(0, Math.max(at, 0))) && isHostName(text.slice(at + 1));
}

/** Whether a text is the name of a host, such as `evidence.example.com`. */
export function isHostName(text: string): boolean {
  return text.length <= MAX_LENGTH && text.split(".").every((label) => LABEL.test(label));
}

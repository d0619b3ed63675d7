export interface Mailbox {
  address: string;
  name?: string;
}

// Stricter than mail servers: no quotes, comments, groups or lists, so that a text is one address.
const LOCAL_PART = /^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}$/;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const MAX_ADDRESS = 254;
/** A name of printable characters, without those that end one. */
const NAME = /^[^\p{C}\p{Zl}\p{Zp}<>"\\]{1,100}$/u;

export function isMailAddress(text: string): boolean {
  if (text.length > MAX_ADDRESS) return false;
  const at = text.lastIndexOf("@");
  return at > 0 && LOCAL_PART.test(text.slice(0, at)) && isHostName(text.slice(at + 1));
}

export function isHostName(text: string): boolean {
  return text.length <= MAX_ADDRESS && text.split(".").every((label) => LABEL.test(label));
}

/** Parses `--mail-from`: `evidence@example.com` or `Evidence <evidence@example.com>`. @throws {TypeError} */
export function parseMailFrom(text: string): Mailbox {
  const [, name = "", address = text] = /^([^<]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const named = name.trim();
  if (!isMailAddress(address.trim()) || (named !== "" && !NAME.test(named))) {
    throw new TypeError(
      "--mail-from is not a valid email address. Write evidence@example.com, or Evidence <evidence@example.com>",
    );
  }
  return { address: address.trim(), ...(named === "" ? {} : { name: named }) };
}

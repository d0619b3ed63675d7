/**
 * Cookies of a request. The first of two with one name counts. Does not use hono's parser, which accepts quoted or
 * percent-encoded tokens.
 */
export function cookiesIn(header: string | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const pair of (header ?? "").split(";")) {
    const at = pair.indexOf("=");
    const name = pair.slice(0, at).trim();
    if (at > 0 && !found.has(name)) found.set(name, pair.slice(at + 1).trim());
  }
  return found;
}

export function themeIn(header: string | undefined): "light" | "dark" | undefined {
  const theme = cookiesIn(header).get("theme");
  return theme === "light" || theme === "dark" ? theme : undefined;
}

/** `login` binds a sign-in at a provider to the browser, and `join` the page of an invitation. */
type CookieName = "session" | "share" | "login" | "join";

/** Sets the cookies of this service, with `Secure` if its public URL is https. */
export class Cookies {
  readonly #isSecure: boolean;

  constructor(publicUrl: string) {
    this.#isSecure = publicUrl.startsWith("https:");
  }

  /** With the `__Host-` prefix, browsers reject cookies that another host of the domain sets. */
  nameOf(name: CookieName): string {
    return this.#isSecure ? `__Host-${name}` : name;
  }

  set(name: CookieName, token: string, seconds: number): string {
    const secure = this.#isSecure ? "; Secure" : "";
    return `${this.nameOf(name)}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${Math.floor(seconds)}${secure}`;
  }

  remove(name: CookieName): string {
    return this.set(name, "", 0);
  }
}

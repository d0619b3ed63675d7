/** Parts of the service that have addresses of their own, where an organization of that name would have its pages. */
const TAKEN: ReadonlySet<string> = new Set([
  "api",
  "login",
  "ready",
  "health",
  "metrics",
  "assets",
  "settings",
  "log",
  "logout",
  "share",
]);

/** Names that can stand in an address as they are, as those of flows do. */
const NAME = /^[a-zA-Z0-9][a-zA-Z0-9\-_.~]{0,254}$/;

/** Whether a name is that of a part of the service, whatever its case. */
export function isTakenName(name: string): boolean {
  return TAKEN.has(name.toLowerCase());
}

/** @throws Error when a new organization cannot have a name. One that is there keeps the name that it has. */
export function requireOrganizationName(name: string): void {
  if (!NAME.test(name)) {
    throw new Error(
      `'${name}' cannot name an organization: 1 to 255 letters, digits and - _ . ~ can, the first a letter or a digit`,
    );
  }
  if (isTakenName(name)) {
    throw new Error(
      `'${name}' cannot name an organization: the service has addresses of its own below /${name.toLowerCase()}`,
    );
  }
}

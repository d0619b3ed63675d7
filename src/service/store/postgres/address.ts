import { readFile } from "node:fs/promises";
import type { ClientConfig } from "pg";
import { parseIntoClientConfig } from "pg-connection-string";
import { addressesIn, databaseUrl } from "./hosts.ts";

export interface DatabaseAddress {
  /** `postgres://user@host:5432/name?sslmode=verify-full&sslrootcert=…`, with libpq's options and its form for several hosts. */
  readonly url: string;
  /** A file with the password. It is read for each connection, so that it can change while the service runs. */
  readonly passwordFile?: string;
}

/** The address of each host, as an address of its own. */
export function hostsOf({ url, ...rest }: DatabaseAddress): readonly DatabaseAddress[] {
  return addressesIn(url).map((each) => ({ ...rest, url: each }));
}

/** For an address with one host. @throws Error without the address, which may contain a password */
export function clientConfig({ url, passwordFile }: DatabaseAddress): ClientConfig {
  const parsed = parsedAddress(url);
  // `sslmode` has libpq's meaning, as in other tools.
  if (!parsed.searchParams.has("uselibpqcompat")) parsed.searchParams.set("uselibpqcompat", "true");
  parsed.searchParams.delete(POOLER);
  const mode = parsed.searchParams.get("sslmode");
  if (mode !== null && !SSL_MODES.includes(mode)) {
    throw new Error(
      `sslmode in the address of the database must be one of ${SSL_MODES.join(", ")}, got '${mode}'`,
    );
  }
  const config = configIn(parsed);
  if (passwordFile === undefined) return config;
  return { ...config, password: () => passwordIn(passwordFile) };
}

const SSL_MODES: readonly string[] = ["disable", "prefer", "require", "verify-ca", "verify-full"];

function configIn({ href }: URL): ClientConfig {
  try {
    return parseIntoClientConfig(href);
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause)) throw cause;
    throw new Error("A certificate or key that the address of the database names cannot be read", { cause });
  }
}

async function passwordIn(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Error(`The file ${file} with the password of the database cannot be read`, { cause });
  });
  const password = text.replace(/\r?\n$/, "");
  if (password === "") throw new Error(`The file ${file} with the password of the database is empty`);
  return password;
}

const POOLER = "pgbouncer";

/** Whether `pgbouncer=true` is set: connections are shared by transaction, so no session state lasts. */
export function isPooled(address: DatabaseAddress): boolean {
  return parsedHosts(address).some(({ searchParams }) => searchParams.get(POOLER) === "true");
}

/** The address for display, without a password and without options. */
export function shownAddress(address: DatabaseAddress): string {
  const hosts = parsedHosts(address);
  const [{ protocol = "", username = "", pathname = "" } = {}] = hosts;
  return `${protocol}//${username === "" ? "" : `${username}@`}${hosts.map(({ host }) => host).join(",")}${pathname}`;
}

function parsedHosts(address: DatabaseAddress): readonly URL[] {
  return hostsOf(address).map(({ url }) => parsedAddress(url));
}

function parsedAddress(url: string): URL {
  const parsed = databaseUrl(url);
  if (parsed === undefined) {
    throw new Error("The address of the database must look like postgres://user@host:5432/name");
  }
  return parsed;
}

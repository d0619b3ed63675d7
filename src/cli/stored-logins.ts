import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { parseJson } from "../api/json.ts";
import { alternatives, type Environment, given, UsageError } from "./usage.ts";

const stored = z.object({
  /** Address of the service, without `/api/v2`. */
  url: z.string(),
  token: z.string(),
  /** The organization for commands that name none. */
  org: z.nullable(z.string()),
  /** Unix seconds. */
  expires_at: z.number(),
});

export type StoredLogin = z.infer<typeof stored>;

/** The address of a service as it is stored. Invalid ones are returned as they are, and are refused later. */
export function serviceAddress(baseUrl: string): string {
  const url = URL.parse(baseUrl.trim());
  if (url === null) return baseUrl;
  return url.origin + url.pathname.replaceAll(/\/{2,}/g, "/").replace(/(\/api\/v2|\/)+$/, "");
}

/** The folder of this user. Undefined without a home, as in some containers. */
function folderIn(environment: Environment): string | undefined {
  const home = given(environment, "HOME");
  const configuration =
    (process.platform === "win32" ? given(environment, "APPDATA") : undefined) ??
    given(environment, "XDG_CONFIG_HOME") ??
    (home === undefined ? undefined : join(home, ".config"));
  return configuration && join(configuration, "delivery-evidence", "logins");
}

/** One file for each service, so that two sign-ins at once lose nothing. */
function fileOf(folder: string, url: string): string {
  return join(folder, `${createHash("sha256").update(url).digest("hex").slice(0, 32)}.json`);
}

/** A place to store logins, which is known to be writable. */
export interface LoginStore {
  /** Replaces an earlier login to the same service. */
  store(login: StoredLogin): Promise<void>;
}

/**
 * Checks the folder before a person is asked to approve anything.
 *
 * @throws {UsageError}
 */
export async function openLoginStore(environment: Environment): Promise<LoginStore> {
  const folder = folderIn(environment);
  if (folder === undefined)
    throw new UsageError("Set HOME or XDG_CONFIG_HOME, so that the login can be stored");
  const write = async (content: string) => {
    const file = join(folder, `.${randomUUID()}`);
    await writeFile(file, content, { mode: 0o600, flag: "wx" });
    return file;
  };
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await rm(await write(""));
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? error.code : error;
    throw new UsageError(
      `Cannot write to ${folder} (${reason}). To store the login elsewhere, set XDG_CONFIG_HOME`,
    );
  }
  return {
    async store(login) {
      const file = await write(JSON.stringify(login));
      await rename(file, fileOf(folder, login.url));
    },
  };
}

/**
 * The login for a service; without an address, the only one.
 *
 * @throws {UsageError} if there are several
 */
export async function findLogin(
  environment: Environment,
  baseUrl: string | undefined,
): Promise<StoredLogin | undefined> {
  const folder = folderIn(environment);
  if (folder === undefined) return undefined;
  if (baseUrl !== undefined) {
    const url = serviceAddress(baseUrl);
    const login = await readLogin(fileOf(folder, url));
    return login?.url === url ? login : undefined;
  }
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(".json")).sort();
  const found = (await Promise.all(files.map((name) => readLogin(join(folder, name))))).filter(
    (login) => login !== undefined,
  );
  if (found.length < 2) return found[0];
  const urls = alternatives(found.map(({ url }) => url));
  throw new UsageError(`You have signed in to several services: set --base-url to ${urls}`);
}

/** Undefined for a file that is missing or damaged: signing in replaces it. */
async function readLogin(file: string): Promise<StoredLogin | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  return text === undefined ? undefined : z.safeParse(stored, parseJson(text)?.value).data;
}

export async function removeLogin(environment: Environment, { url }: StoredLogin): Promise<void> {
  const folder = folderIn(environment);
  if (folder !== undefined) await rm(fileOf(folder, url), { force: true });
}

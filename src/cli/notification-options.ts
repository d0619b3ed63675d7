import { readFile, stat } from "node:fs/promises";
import { isIP } from "node:net";
import { InputError } from "../api/client/errors.ts";
import { readSealingKey, type SealingKey } from "../service/delivery/outgoing/sealed.ts";
import type { ServiceOptions } from "../service/service.ts";
import { type Environment, given, UsageError } from "./usage.ts";

/** The options that say where notifications may go, how mail leaves, and what their secrets are kept with. */
export const NOTIFICATION_OPTIONS = {
  "secret-key-file": { type: "string" },
  "allow-targets": { type: "string" },
  "allow-http-targets": { type: "boolean" },
  "github-hosts": { type: "string" },
  "smtp-url": { type: "string" },
  "smtp-url-file": { type: "string" },
  "mail-from": { type: "string" },
} as const;

type Named = Exclude<keyof typeof NOTIFICATION_OPTIONS, "allow-http-targets">;
type Values = { readonly [Name in Named]?: string | undefined } & {
  readonly "allow-http-targets"?: boolean | undefined;
};
type Settings = Pick<ServiceOptions, "secretKey" | "outgoing" | "mail">;

/**
 * What was said of notifications, as options or variables: `--smtp-url` or `EVIDENCE_SMTP_URL`. No message repeats a
 * key or an address that holds a password.
 *
 * @throws {UsageError}
 */
export async function notificationsFrom(values: Values, environment: Environment): Promise<Settings> {
  const text = (name: Named) =>
    values[name] ?? given(environment, `EVIDENCE_${name.toUpperCase().replaceAll("-", "_")}`);
  const secretKey = await secretKeyFrom(text("secret-key-file"), given(environment, "EVIDENCE_SECRET_KEY"));
  const allowTargets = networksIn(text("allow-targets"));
  const allowHttpTargets = values["allow-http-targets"] ?? flagIn(environment, "EVIDENCE_ALLOW_HTTP_TARGETS");
  const githubHosts = githubHostsIn(text("github-hosts"));
  const mail = await mailFrom({
    url: text("smtp-url"),
    file: text("smtp-url-file"),
    from: text("mail-from"),
  });
  return {
    ...(secretKey === undefined ? {} : { secretKey }),
    ...(allowTargets.length > 0 || allowHttpTargets || githubHosts.length > 0
      ? { outgoing: { allowTargets, allowHttpTargets, githubHosts } }
      : {}),
    ...(mail === undefined ? {} : { mail }),
  };
}

/** What to warn of where other users of the machine can read the key of secrets. */
export async function secretKeyWarning(
  values: Values,
  environment: Environment,
): Promise<string | undefined> {
  const file = values["secret-key-file"] ?? given(environment, "EVIDENCE_SECRET_KEY_FILE");
  if (file === undefined || process.platform === "win32") return undefined;
  const { mode } = await stat(file);
  if ((mode & 0o007) === 0) return undefined;
  return `All users of this machine can read ${file}, which keeps the secrets of notifications: run chmod o= ${file}`;
}

async function secretKeyFrom(
  file: string | undefined,
  variable: string | undefined,
): Promise<SealingKey | undefined> {
  if (file !== undefined && variable !== undefined) {
    throw new UsageError("Say the key of secrets once: --secret-key-file or EVIDENCE_SECRET_KEY");
  }
  const name = file ?? "EVIDENCE_SECRET_KEY";
  const text = file === undefined ? variable : await contentOf(file, "the key of secrets");
  if (text === undefined) return undefined;
  try {
    const key = readSealingKey(text, name);
    if (key.bytes.some((byte) => byte !== 0)) return key;
    throw new UsageError(
      `${name} holds only zeros, which is not a secret: make a key with openssl rand -base64 32`,
    );
  } catch (error) {
    if (error instanceof InputError) throw new UsageError(error.message);
    throw error;
  }
}

function flagIn(environment: Environment, name: string): boolean {
  const said = given(environment, name) ?? "false";
  if (said !== "true" && said !== "false") throw new UsageError(`${name} is true or false, not '${said}'`);
  return said === "true";
}

function networksIn(list: string | undefined): string[] {
  const networks = list === undefined ? [] : list.split(",").map((entry) => entry.trim());
  for (const network of networks) {
    const [address = "", bits, ...rest] = network.split("/");
    const most = isIP(address) === 4 ? 32 : 128;
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
    if (isIP(address) === 0 || !isNetwork || rest.length > 0) {
      throw new UsageError(
        `'${network}' cannot be --allow-targets: networks such as 10.0.0.0/8 can, and addresses`,
      );
    }
  }
  return networks;
}

function githubHostsIn(list: string | undefined): string[] {
  const hosts = list === undefined ? [] : list.split(",").map((entry) => entry.trim().toLowerCase());
  for (const host of hosts) {
    // A default port is not part of a URL's host, so it would never match.
    if (URL.parse(`https://${host}`)?.host !== host) {
      throw new UsageError(`--github-hosts takes host names such as github.example.com, got '${host}'`);
    }
  }
  return hosts;
}

interface MailTexts {
  readonly url: string | undefined;
  readonly file: string | undefined;
  readonly from: string | undefined;
}

async function mailFrom({ url: named, file, from }: MailTexts): Promise<ServiceOptions["mail"]> {
  if (named !== undefined && file !== undefined) {
    throw new UsageError("Say where mail goes once: --smtp-url or --smtp-url-file");
  }
  const url = file === undefined ? named : await contentOf(file, "the address of the mail server");
  if (url === undefined && from === undefined) return undefined;
  if (url === undefined) throw new UsageError("--mail-from needs --smtp-url");
  if (from === undefined) throw new UsageError("--smtp-url needs --mail-from, the sender of its mails");
  if (!/^smtps?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw new UsageError("--smtp-url is an address such as smtps://user:password@mail.example.com");
  }
  return { url, from };
}

async function contentOf(file: string, what: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch {
    throw new UsageError(`The file ${file} with ${what} cannot be read`);
  }
}

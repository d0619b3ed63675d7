import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../api/client/errors.ts";
import { whyUnusable } from "../unusable-path.ts";

type Variables = Readonly<Record<string, string>>;

/** Where a Docker engine is asked. */
export interface EngineAddress {
  /** For messages: `unix:///var/run/docker.sock`. */
  readonly name: string;
  /** What HTTP is told the host is. */
  readonly origin: URL;
  /** A unix socket or a named pipe; TCP when absent. */
  readonly socketPath?: string;
  /** The certificates for an engine that asks for them. */
  readonly tls?: { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer };
}

const UNIX_SOCKET = "/var/run/docker.sock";
const WINDOWS_PIPE = "//./pipe/docker_engine";

/** What an engine is asked for, for messages. */
export interface EngineUse {
  /** The input whose value `docker` needs the engine. */
  readonly input: string;
  /** What can be done without an engine, to follow "or"; empty when nothing can. */
  readonly instead: string;
}

/**
 * The engine that `DOCKER_HOST` names, else the one of this machine.
 *
 * @throws {InputError} (by the name of the use) for an address that only the docker command can use
 */
export async function engineAddress(
  env: Variables,
  use: EngineUse,
  platform: NodeJS.Platform = process.platform,
): Promise<EngineAddress> {
  const standard = platform === "win32" ? `npipe://${WINDOWS_PIPE}` : `unix://${UNIX_SOCKET}`;
  const name = env["DOCKER_HOST"]?.trim() || standard;
  const [, scheme = "", rest = ""] = /^(\w+):\/\/(.+)$/.exec(name) ?? [];
  const local = new URL("http://localhost");
  if (scheme === "unix") return { name, origin: local, socketPath: rest };
  if (scheme === "npipe") return { name, origin: local, socketPath: rest.replaceAll("/", "\\") };
  if ((scheme === "tcp" || scheme === "http" || scheme === "https") && URL.canParse(`http://${rest}`)) {
    const secure = scheme === "https" || Boolean(env["DOCKER_TLS_VERIFY"]);
    const origin = new URL(new URL(`${secure ? "https" : "http"}://${rest}`).origin);
    return secure ? { name, origin, tls: await certificates(env, use) } : { name, origin };
  }
  const problem = `docker asks the engine at DOCKER_HOST, '${name}', which is not unix://, tcp:// or npipe://`;
  throw new InputError([{ input: use.input, problem }], {
    advice: adviceOr("Name an address of one of these kinds", use),
  });
}

/** @param advice a sentence without its full stop */
export function adviceOr(advice: string, { instead }: EngineUse): string {
  return instead === "" ? `${advice}.` : `${advice}, or ${instead}.`;
}

async function certificates(
  env: Variables,
  { input }: EngineUse,
): Promise<NonNullable<EngineAddress["tls"]>> {
  const home = env["HOME"] || env["USERPROFILE"] || "";
  const folder = env["DOCKER_CERT_PATH"] || join(home, ".docker");
  const read = (file: string) =>
    readFile(join(folder, file)).catch((cause: unknown) => {
      const problem = `docker needs the certificate '${join(folder, file)}', which ${whyUnusable(cause)}`;
      throw new InputError([{ input, problem }], {
        advice: "DOCKER_CERT_PATH names the folder that holds ca.pem, cert.pem and key.pem.",
        cause,
      });
    });
  // One after the other, so that of several that are missing the same is named each time.
  return { ca: await read("ca.pem"), cert: await read("cert.pem"), key: await read("key.pem") };
}

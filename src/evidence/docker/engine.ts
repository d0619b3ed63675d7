import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError, ProtocolError } from "../../api/client/errors.ts";
import { failed, failedExchange } from "../../api/client/failed-exchange.ts";
import { parseJson } from "../../api/json.ts";
import { asObject, asText } from "../../api/untyped.ts";
import { Client, type ClientOptions, type Failure } from "../../net/client.ts";
import { Deadline } from "../../net/deadline.ts";
import type { Answer } from "../../net/exchange.ts";
import { PROFILES } from "../../net/profiles.ts";
import { whyUnusable } from "../unusable-path.ts";

export interface EngineOptions {
  /** Environment with `DOCKER_HOST` and related variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Limit for all requests together, in seconds. */
  readonly timeLimit?: number;
  readonly pause?: ClientOptions["pause"];
}

const TIME_LIMIT_SECONDS = 30;
/** Characters quoted of the engine's message. */
const QUOTED = 300;

/** Permanent faults that mean missing rights. */
const NOT_ALLOWED: ReadonlySet<string> = new Set(["EACCES", "EPERM"]);

export class Engine {
  /** For messages: `unix:///var/run/docker.sock`. */
  readonly name: string;
  readonly #origin: URL;
  readonly #use: EngineUse;
  readonly #deadline: Deadline;
  readonly #client: Client;

  private constructor(
    { name, origin, socketPath, tls }: EngineAddress,
    { timeLimit = TIME_LIMIT_SECONDS, signal, pause }: EngineOptions,
    use: EngineUse,
  ) {
    this.name = name;
    this.#origin = origin;
    this.#use = use;
    this.#deadline = new Deadline(timeLimit, signal);
    this.#client = new Client({
      profile: PROFILES.engine,
      errorOf: (failure) => this.#failed(failure),
      connect: { socket: { ...(socketPath && { socketPath }), ...tls } },
      pause,
    });
  }

  /**
   * Starts the time limit without a request.
   *
   * @throws {InputError} (the use's input) for an unsupported address
   */
  static async open(options: EngineOptions, use: EngineUse): Promise<Engine> {
    return new Engine(await engineAddress(options.env, use), options, use);
  }

  /**
   * Returns the last response after retries, whatever its status.
   *
   * @throws {InputError} (the use's input) if no engine that this user may access is running
   * @throws {NetworkError}, {TimeoutError}, {ProtocolError} for a broken response
   * @throws the signal's reason when the work is interrupted
   */
  get(path: string): Promise<Answer> {
    const url = new URL(path, this.#origin);
    return this.#client.send({ method: "GET", url, headers: {} }, this.#deadline);
  }

  /** @throws {ProtocolError} for anything but a 200 with JSON */
  read({ status, bytes }: Answer): unknown {
    const content = parseJson(bytes.toString())?.value;
    if (status === 200 && content !== undefined) return content;
    throw this.unexpected(asText(asObject(content)["message"]).slice(0, QUOTED), status);
  }

  unexpected(message: string, status?: number): ProtocolError {
    const host = this.#host;
    return new ProtocolError({
      what: failed(message || "unreadable response", { host, ...(status !== undefined && { status }) }),
      advice: "Run `docker info` in this job to reproduce the failure.",
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#deadline[Symbol.dispose]();
    await this.#client.close();
  }

  get #host(): string {
    return `the Docker engine at ${this.name}`;
  }

  #failed(failure: Failure): Error | undefined {
    // A response with a long wait is treated by its status.
    if (failure.kind === "long-wait") return undefined;
    const code = failure.kind === "unanswered" ? failure.fault.code : "";
    if (NOT_ALLOWED.has(code)) {
      const why = "which this user may not access (permission denied)";
      return this.#notReached(why, "Add the user to the group docker", failure.cause);
    }
    if (PROFILES.engine.finalFaults.has(code)) {
      const advice = `Start the engine${this.#use.instead === "" ? " or" : ","} set DOCKER_HOST to its address`;
      return this.#notReached("which does not respond", advice, failure.cause);
    }
    return failedExchange(failure, { name: "it", host: this.#host, unanswered: () => "", tooLate: "" });
  }

  #notReached(why: string, advice: string, cause: unknown): InputError {
    const problem = `docker requires ${this.#host}, ${why}`;
    return new InputError([{ input: this.#use.input, problem }], {
      advice: adviceOr(advice, this.#use),
      cause,
    });
  }
}

type Variables = Readonly<Record<string, string>>;

interface EngineAddress {
  /** For messages: `unix:///var/run/docker.sock`. */
  readonly name: string;
  readonly origin: URL;
  /** Unix socket or named pipe; TCP if absent. */
  readonly socketPath?: string;
  readonly tls?: { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer };
}

const UNIX_SOCKET = "/var/run/docker.sock";
const WINDOWS_PIPE = "//./pipe/docker_engine";

interface EngineUse {
  /** Input with the value `docker`. */
  readonly input: string;
  /** Alternative without an engine, to follow "or"; may be empty. */
  readonly instead: string;
}

/**
 * `DOCKER_HOST`, else this machine's engine.
 *
 * @throws {InputError} (the use's input) for an address that only the docker command supports
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
  const problem = `docker uses the engine at DOCKER_HOST, which must be unix://, tcp:// or npipe://, not '${name}'`;
  throw new InputError([{ input: use.input, problem }], {
    advice: adviceOr("Set DOCKER_HOST to such an address", use),
  });
}

/** @param advice a sentence without its full stop */
function adviceOr(advice: string, { instead }: EngineUse): string {
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
      const problem = `docker requires the certificate '${join(folder, file)}', which ${whyUnusable(cause)}`;
      throw new InputError([{ input, problem }], {
        advice: "Set DOCKER_CERT_PATH to the folder with ca.pem, cert.pem and key.pem.",
        cause,
      });
    });
  // In sequence, so that several missing files always give the same message.
  return { ca: await read("ca.pem"), cert: await read("cert.pem"), key: await read("key.pem") };
}

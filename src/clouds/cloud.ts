import { counted } from "../api/client/counted.ts";
import { Client, type ClientRequest } from "../net/client.ts";
import { Deadline, DeadlinePassed } from "../net/deadline.ts";
import type { Answer } from "../net/exchange.ts";
import { PROFILES } from "../net/profiles.ts";
import type { pause } from "../net/retry.ts";
import { refusedAnswer } from "./refused-answer.ts";
import { attemptAgain, RemoteFault } from "./remote-fault.ts";

export interface CloudOptions {
  /** Variables with a login of the job, endpoints and proxies. */
  readonly env: Readonly<Record<string, string>>;
  readonly deadline: Deadline;
  /** Whether an endpoint on another machine may be `http://`. */
  readonly allowHttp: boolean;
  /** An identity token of the job for an audience. @throws InputError if the job cannot have one */
  readonly identityToken: (audience: string) => Promise<string>;
  /** Masks a secret in the log from now on. */
  readonly mask: (secret: string) => void;
  readonly info: (line: string) => void;
  readonly onWarning: (text: string) => void;
  /** Replaces the waits, for tests. */
  readonly pause?: typeof pause;
}

/** Attempts of a throttled request. The waits grow to 20 s each, so the deadline usually ends first. */
const ATTEMPTS = 10;
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_MS = 30_000;
const MAX_CONNECTIONS = 32;
/** Names in a warning. Unknown digests usually have one cause. */
const NAMED = 10;

interface Unknown {
  /** Plural, such as `functions`. */
  readonly things: string;
  readonly names: readonly string[];
  /** `not reported`; by default, `reported without a digest`. */
  readonly outcome?: string;
}

/** Requests to the interfaces of a cloud, within one deadline. */
export class Cloud implements AsyncDisposable {
  readonly options: CloudOptions;
  readonly client: Client;
  readonly #deadline: Deadline;
  readonly #closed = new AbortController();

  constructor(options: CloudOptions) {
    const { remaining, signal } = options.deadline;
    this.options = options;
    this.#deadline = new Deadline(remaining / 1000, AbortSignal.any([signal, this.#closed.signal]));
    this.client = new Client({
      profile: PROFILES.cloud,
      errorOf: RemoteFault.unreached,
      proxyVariables: options.env,
      connect: { silenceMs: SILENCE_MS, most: MAX_CONNECTIONS, socket: { timeout: CONNECT_TIMEOUT_MS } },
    });
  }

  /**
   * Sends a request, and again while the cloud fails or throttles. It is prepared for each attempt, because signatures
   * and tokens expire.
   *
   * @returns a response with a status of 2xx, or one of `answers`
   * @throws RemoteFault for any other
   */
  async ask(
    prepare: () => Promise<ClientRequest> | ClientRequest,
    { answers = [] }: { readonly answers?: readonly number[] } = {},
  ): Promise<Answer> {
    const { pause } = this.options;
    let server = "the cloud";
    const attempt = async () => {
      const request = await prepare();
      server = request.operation ?? request.url.host;
      const answer = await this.client.send(request, this.#deadline);
      const { status } = answer;
      if ((status >= 200 && status < 300) || answers.includes(status)) return answer;
      throw RemoteFault.answered(server, refusedAnswer(answer));
    };
    try {
      return await attemptAgain(attempt, this.#deadline, { attempts: ATTEMPTS, ...(pause && { pause }) });
    } catch (error) {
      throw error instanceof DeadlinePassed ? RemoteFault.late(server, error) : error;
    }
  }

  /** Warns once of all things whose digest is unknown. */
  warnOfUnknown({ things, names, outcome = "reported without a digest" }: Unknown): void {
    if (names.length === 0) return;
    this.options.onWarning(
      `${counted(names.length, things)} ${outcome}, because the digest is unknown: ${listed(names)}`,
    );
  }

  /** Warns once of listed names without a counterpart. @param problem such as `include: no function is named` */
  warnOfMissing(problem: string, names: readonly string[]): void {
    if (names.length > 0) this.options.onWarning(`${problem} ${listed(names.map((name) => `'${name}'`))}`);
  }

  /** Ends all requests, also those that wait for another attempt. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort(new Error("the cloud is no longer asked"));
    this.#deadline[Symbol.dispose]();
    await this.client.close();
  }
}

function listed(names: readonly string[]): string {
  const others = names.length > NAMED ? `, and ${names.length - NAMED} more` : "";
  return names.slice(0, NAMED).join(", ") + others;
}

import { asObject, type Untyped } from "../../api/untyped.ts";
import { basicCredentials } from "../../net/basic-credentials.ts";
import type { Answered } from "../oci/exchange.ts";
import type { RemoteService } from "../remote/remote-service.ts";

/** Hosts of the hosted service, which takes no password in the place of a token. */
const HOSTED = /(^|\.)(sonarcloud\.io|sonarqube\.us)$/;

export interface SonarQuestion {
  /** Below the address: `api/ce/task`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** What is asked for, such as `the task AY1`, for messages. */
  readonly subject: string;
}

/** A Sonar server, which is asked with a token. Servers before 10.0 take it as the user of an empty password alone. */
export class Sonar {
  readonly #service: RemoteService;
  readonly #basic: string | undefined;
  #authorization: string;

  /** @param address ends with a slash */
  constructor(service: RemoteService, address: URL, token: string) {
    this.#service = service;
    this.#authorization = `Bearer ${token}`;
    this.#basic = HOSTED.test(address.hostname) ? undefined : `Basic ${basicCredentials(token)}`;
  }

  /**
   * The object that Sonar answers with.
   *
   * @throws what `RemoteService` does when there is none
   */
  async ask({ path, query, subject }: SonarQuestion): Promise<{ content: Untyped; answer: Answered }> {
    let answer = await this.#service.ask({ path, query, authorization: this.#authorization });
    if (answer.status === 401 && this.#basic !== undefined && this.#authorization !== this.#basic) {
      this.#authorization = this.#basic;
      answer = await this.#service.ask({ path, query, authorization: this.#authorization });
    }
    return { content: asObject(this.#service.read(answer, subject)), answer };
  }

  /** The error for an answer that says something else than it should. */
  unexpected(answer: Answered, what: string): Error {
    return this.#service.unexpected(answer, what);
  }
}

import { parseJson } from "../../api/json.ts";
import { asObject, type Untyped } from "../../api/untyped.ts";
import type { Answer } from "../../net/exchange.ts";
import { strangeAnswer } from "../answers.ts";
import { Cloud, type CloudOptions } from "../cloud.ts";
import { explainFault } from "../explain-fault.ts";
import { RemoteFault } from "../remote-fault.ts";
import { accessToken, type GoogleLogin, loginSource } from "./login.ts";

interface GoogleRequest {
  readonly url: URL;
  /** Role that the request needs: `roles/run.viewer`. */
  readonly role: string;
  /** Statuses that are returned instead of thrown, besides 2xx. */
  readonly answers?: readonly number[];
}

/** Google's interfaces, with the login of the job. */
export class Google implements AsyncDisposable {
  readonly cloud: Cloud;
  readonly #login: GoogleLogin;
  readonly #source: string;
  #token: Promise<string> | undefined;

  /** @throws InputError without a login */
  constructor(options: CloudOptions, login: GoogleLogin) {
    this.#source = loginSource(login, options.env);
    this.#login = login;
    this.cloud = new Cloud(options);
  }

  /** The access token, requested once. */
  token(): Promise<string> {
    this.#token ??= accessToken(this.cloud, this.#login);
    return this.#token;
  }

  /**
   * @throws InputError if Google refuses the login or the request
   * @throws NetworkError if it cannot be reached, or limits the rate until the deadline
   */
  async ask({ url, role, answers = [] }: GoogleRequest): Promise<Answer> {
    const headers = { accept: "application/json", authorization: `Bearer ${await this.token()}` };
    const request = { operation: url.host, method: "GET", url, headers } as const;
    try {
      return await this.cloud.ask(() => request, { answers });
    } catch (error) {
      throw error instanceof RemoteFault ? this.explained(error, { url, role }) : error;
    }
  }

  /** The object that a request returns. */
  async read(request: GoogleRequest): Promise<Untyped> {
    const answer = await this.ask(request);
    const json = parseJson(answer.bytes.toString());
    if (json === undefined) throw strangeAnswer(`${request.url.host} returned no JSON`);
    return asObject(json.value);
  }

  explained(fault: RemoteFault, { url, role }: Pick<GoogleRequest, "url" | "role">): Error {
    const { status, code } = fault;
    const service = url.host.replace(/^[a-z0-9-]+-(?=run\.)/, "");
    if (code === "SERVICE_DISABLED") {
      const advice = `Enable the API in the project: gcloud services enable ${service}. It takes a few minutes.`;
      return explainFault(fault, { input: "google-project", advice });
    }
    if (status === 401) {
      const advice = "Log in to Google Cloud again in this job: the token is invalid or has expired.";
      return explainFault(fault, { input: this.#source, advice });
    }
    if (status === 403) {
      const advice = `Give this login the role ${role} in the project, and check google-project.`;
      return explainFault(fault, { input: this.#source, advice });
    }
    return explainFault(fault, {
      ...{ input: "google-project", host: "google-region" },
      advice: "Check google-project and google-region.",
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cloud[Symbol.asyncDispose]();
  }
}

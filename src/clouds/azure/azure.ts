import { InputError, ProtocolError } from "../../api/client/errors.ts";
import { parseJson } from "../../api/json.ts";
import { asObject, asObjects, asText, type Untyped } from "../../api/untyped.ts";
import type { ClientRequest } from "../../net/client.ts";
import type { Answer } from "../../net/exchange.ts";
import { strangeAnswer } from "../answers.ts";
import { Cloud, type CloudOptions } from "../cloud.ts";
import { explainFault } from "../explain-fault.ts";
import { pagesOf } from "../pages.ts";
import { RemoteFault } from "../remote-fault.ts";
import { type AzureHosts, type AzureLogin, type AzureToken, accessToken, azureHosts } from "./login.ts";

export interface AzureScope {
  readonly azureSubscriptionId?: string | undefined;
  readonly azureResourceGroup?: string | undefined;
}

interface AzureRequest extends Pick<ClientRequest, "take" | "maxBytes"> {
  readonly url: URL;
  readonly method?: "GET" | "POST";
  /** Role that the request needs: `Reader`. */
  readonly role: string;
  /** Statuses that are returned instead of thrown, besides 2xx. */
  readonly answers?: readonly number[];
  /** Called before each attempt. */
  readonly onAttempt?: () => void;
}

const VERSION = "2024-11-01";
const READER = "Reader";

/** Azure's interfaces for one resource group, with the login of the job. */
export class Azure implements AsyncDisposable {
  readonly cloud: Cloud;
  readonly hosts: AzureHosts;
  readonly #login: AzureLogin;
  readonly #group: string;
  #token: Promise<AzureToken> | undefined;

  /** @throws InputError without a subscription */
  constructor(options: CloudOptions, login: AzureLogin & AzureScope) {
    const { env } = options;
    const {
      azureSubscriptionId: subscription = env["AZURE_SUBSCRIPTION_ID"],
      azureResourceGroup: group = "",
    } = login;
    if (!subscription) {
      const problem = "is missing; give the ID of the subscription";
      throw new InputError([{ input: "azure-subscription-id", problem, missing: true }]);
    }
    this.hosts = azureHosts(env);
    this.#login = login;
    this.#group = `/subscriptions/${encodeURIComponent(subscription)}/resourceGroups/${encodeURIComponent(group)}`;
    this.cloud = new Cloud(options);
  }

  /** The access token for Azure's management, requested once. */
  token(): Promise<AzureToken> {
    this.#token ??= accessToken(this.cloud, this.#login, this.hosts);
    return this.#token;
  }

  /** Address of the apps of the resource group, or of something below one. @param path encoded: `/web/config/web` */
  sites(path = ""): URL {
    const sites = `${this.#group}/providers/Microsoft.Web/sites${path}`;
    return new URL(`https://${this.hosts.management}${sites}?api-version=${VERSION}`);
  }

  /**
   * @throws InputError if Azure refuses the login or the request
   * @throws NetworkError if it cannot be reached, or limits the rate until the deadline
   */
  async ask({ url, method = "GET", role, answers = [], onAttempt, ...rest }: AzureRequest): Promise<Answer> {
    const { text } = await this.token();
    const headers = { accept: "application/json", authorization: `Bearer ${text}` };
    try {
      return await this.cloud.ask(
        () => {
          onAttempt?.();
          return { operation: url.host, method, url, headers, ...rest };
        },
        { answers },
      );
    } catch (error) {
      throw error instanceof RemoteFault ? await this.explained(error, role) : error;
    }
  }

  /** The object that a request returns. */
  async read(url: URL): Promise<Untyped> {
    const { bytes } = await this.ask({ url, role: READER });
    const json = parseJson(bytes.toString());
    if (json === undefined) throw strangeAnswer(`${url.host} returned no JSON`);
    return asObject(json.value);
  }

  /** All items of a list. The next page must be at the same server, which alone gets the token. */
  async list(first: URL): Promise<Untyped[]> {
    const items: Untyped[] = [];
    const pages = pagesOf(async (position) => {
      const url = position === "" ? first : URL.parse(position, first.href);
      if (url?.origin !== first.origin)
        throw new ProtocolError({
          what: `${first.host} continues its list at another server: '${position}'`,
        });
      const { value, nextLink } = await this.read(url);
      if (!Array.isArray(value)) throw strangeAnswer(`${first.host} returned no list`);
      return { items: asObjects(value), next: asText(nextLink) };
    });
    for await (const page of pages) items.push(...page.items);
    return items;
  }

  async explained(fault: RemoteFault, role: string): Promise<Error> {
    const { source: input } = await this.token();
    switch (fault.status) {
      case 401:
        return explainFault(fault, {
          input,
          advice: `Log in to Azure again in this job, and give this login the role ${role}.`,
        });
      case 403:
        return explainFault(fault, { input, advice: `Give this login the role ${role} on the resource.` });
      default:
        return explainFault(fault, {
          input: "azure-resource-group",
          advice: "Check azure-subscription-id and azure-resource-group.",
        });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cloud[Symbol.asyncDispose]();
  }
}

import { type Connection, serviceCounterpart } from "../../api/client/connection.ts";
import { ProtocolError } from "../../api/client/errors.ts";
import { failedExchange } from "../../api/client/failed-exchange.ts";
import { parseJson } from "../../api/json.ts";
import { asObject } from "../../api/untyped.ts";
import { Client, type ClientOptions } from "../../net/client.ts";
import { PROFILES } from "../../net/profiles.ts";
import { isLoopback } from "../../net/proxy.ts";
import type { TokenRequest } from "./token-request.ts";

export interface Asking extends Pick<ClientOptions, "proxyVariables" | "onRetry"> {
  /** Its deadline, number of retries and names of options apply. */
  readonly service: Pick<Connection, "within" | "retries" | "naming">;
}

/** An identity token of the workflow for one audience. It expires after some minutes. */
export function identityToken(request: TokenRequest, audience: string, asking: Asking): Promise<string> {
  return tokenOf(
    {
      system: "GitHub",
      request,
      variable: "ACTIONS_ID_TOKEN_REQUEST_URL",
      method: "GET",
      parameter: ["audience", audience],
      headers: { authorization: `bearer ${request.token}` },
      field: "value",
      advice: "Check that the job has the permission id-token: write, and rerun the job.",
    },
    asking,
  );
}

/** The part of a system that issues tokens to its jobs. */
interface TokenEndpoint {
  /** Name for messages. */
  readonly system: string;
  readonly request: TokenRequest;
  /** Variable with the address. */
  readonly variable: string;
  readonly method: "GET" | "POST";
  readonly parameter: readonly [string, string];
  readonly headers: Readonly<Record<string, string>>;
  /** Field of the answer with the token. */
  readonly field: string;
  /** Advice if there is no token. */
  readonly advice: string;
}

export async function tokenOf(endpoint: TokenEndpoint, { service, ...options }: Asking): Promise<string> {
  const { system, request, variable, method, parameter, field, advice } = endpoint;
  const url = URL.parse(request.url);
  if (url === null || (url.protocol !== "https:" && !isLoopback(url.hostname))) {
    throw new ProtocolError({ what: `${variable} is not an https:// address` });
  }
  url.searchParams.set(...parameter);
  const counterpart = serviceCounterpart((text) => text.replaceAll(request.token, "***"), service.naming);
  await using client = new Client({
    ...options,
    profile: { ...PROFILES.tokens, attempts: service.retries + 1 },
    errorOf: (failure) => failedExchange(failure, counterpart),
  });
  const headers = { accept: "application/json", ...endpoint.headers };
  const sent = { operation: `${system}'s token`, method, url, headers };
  const { status, bytes } = await service.within((deadline) => client.send(sent, deadline));
  const token = status === 200 ? asObject(parseJson(bytes.toString())?.value)[field] : undefined;
  if (typeof token === "string" && token !== "") return token;
  throw new ProtocolError({ what: `${system} returned no identity token for this job (${status})`, advice });
}

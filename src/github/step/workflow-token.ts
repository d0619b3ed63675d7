import * as z from "zod/mini";
import { call } from "../../api/client/call.ts";
import {
  type AccessTokens,
  type Connection,
  connect,
  type KeylessOptions,
  NOBODY,
  serviceCounterpart,
} from "../../api/client/connection.ts";
import { ApiError, isUnavailable, ProtocolError } from "../../api/client/errors.ts";
import { failedExchange } from "../../api/client/failed-exchange.ts";
import { parseJson } from "../../api/json.ts";
import { exchangeToken, getTokenAudience } from "../../api/resources/token-exchange.ts";
import { Client } from "../../net/client.ts";
import { PROFILES } from "../../net/profiles.ts";
import { isLoopback } from "../../net/proxy.ts";
import { retry } from "../../net/retry.ts";
import type { TokenRequest } from "./token-request.ts";

interface Exchange {
  readonly request: TokenRequest;
  readonly options: Omit<KeylessOptions, "accessTokens">;
  /** The trust policy to use, where several fit. */
  readonly policy: string | undefined;
  /** Keeps a secret out of the log from here on. */
  readonly mask: (secret: string) => void;
}

/** The right of a workflow, exchanged for a token that GitHub signed. */
export interface WorkflowTokens extends AccessTokens {
  /** Asks for the first one now, so that it is there when it is needed. */
  begin(): void;
}

/** Nothing is asked for before `begin` or the first use. */
export function workflowTokens(exchange: Exchange): WorkflowTokens {
  let asked: Promise<string> | undefined;
  const ask = () => {
    asked = accessToken(exchange);
    // Who needs it is told of what went wrong.
    asked.catch(() => {});
    return asked;
  };
  return {
    begin: () => void ask(),
    async current(refused) {
      const token = await (asked ?? ask());
      return token === refused ? ask() : token;
    },
  };
}

async function accessToken({ request, options, policy, mask }: Exchange): Promise<string> {
  const anonymous = { ...options, oneDeadline: true, accessTokens: NOBODY };
  const service = connect(anonymous);
  // A token is exchanged once: when the answer was lost, another one is asked for.
  const once = connect({ ...anonymous, retries: 0 });
  try {
    const audience = await audienceOf(service);
    const attempt = async () => {
      const token = await gitHubToken(request, audience, { service, options });
      mask(token);
      const body = { token, org: options.org, ...(policy === undefined ? {} : { policy }) };
      return call(once, exchangeToken, { body }).catch((error: unknown) => ({ error }));
    };
    const { outcome } = await service.within((deadline) =>
      retry(attempt, {
        attempts: service.retries + 1,
        deadline,
        least: (each) => ("error" in each && isUnavailable(each.error) ? 0 : undefined),
      }),
    );
    if ("error" in outcome) throw explained(outcome.error);
    mask(outcome.body.accessToken);
    return outcome.body.accessToken;
  } finally {
    await Promise.all([service.close(), once.close()]);
  }
}

/** @throws ProtocolError for the audience of somebody else: with its token the service could ask there in our name */
async function audienceOf(service: Connection): Promise<string> {
  const audience = await askedAudience(service);
  if (URL.parse(audience)?.host === new URL(service.baseUrl).host) return audience;
  throw new ProtocolError({
    what: `The service asks for a token for '${audience}', which is not its own address`,
    advice: "Name the service by its public address in base-url; its operator sets it by --public-url.",
  });
}

async function askedAudience(service: Connection): Promise<string> {
  try {
    return (await call(service, getTokenAudience, { org: service.org })).body.audience;
  } catch (error) {
    if (!(error instanceof ApiError) || ![401, 403, 404, 405].includes(error.status)) throw error;
    throw error.explained({
      advice: "The service takes no tokens of workflows: give api-key, the key of a service account.",
    });
  }
}

const issued = z.object({ value: z.string().check(z.minLength(1)) });

/** A token that says which workflow this is, for one audience. It is good for some minutes. */
async function gitHubToken(
  { url: address, token }: TokenRequest,
  audience: string,
  { service, options }: Pick<Exchange, "options"> & { readonly service: Connection },
): Promise<string> {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== "https:" && !isLoopback(url.hostname))) {
    throw new ProtocolError({ what: "ACTIONS_ID_TOKEN_REQUEST_URL is no https:// address" });
  }
  url.searchParams.set("audience", audience);
  const counterpart = serviceCounterpart((text) => text.replaceAll(token, "***"));
  await using client = new Client({
    profile: { ...PROFILES.tokens, attempts: service.retries + 1 },
    errorOf: (failure) => failedExchange(failure, counterpart),
    proxyVariables: options.proxyVariables,
    onRetry: options.onRetry,
  });
  const headers = { accept: "application/json", authorization: `bearer ${token}` };
  const asked = { operation: "GitHub's token", method: "GET", url, headers } as const;
  const { status, bytes } = await service.within((deadline) => client.send(asked, deadline));
  const answer = status === 200 ? z.safeParse(issued, parseJson(bytes.toString())?.value) : undefined;
  if (answer?.success) return answer.data.value;
  throw new ProtocolError({
    what: `GitHub gave this job no token that says which workflow it is (${status})`,
    advice: "Run the job again; it needs the permission id-token: write.",
  });
}

function explained(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 400) return error;
  return error.explained({
    advice:
      "Have an admin trust this workflow: delivery-evidence trust github OWNER/REPO --flow FLOW. explainTrust says what does not fit. Of several that fit, name one by trust-policy or EVIDENCE_TRUST_POLICY.",
  });
}

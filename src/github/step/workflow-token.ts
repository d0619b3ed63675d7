import { call } from "../../api/client/call.ts";
import {
  type AccessTokens,
  type Connection,
  connect,
  type KeylessOptions,
  NOBODY,
} from "../../api/client/connection.ts";
import { ApiError, isUnavailable, ProtocolError } from "../../api/client/errors.ts";
import { type Naming, optionName } from "../../api/client/naming.ts";
import type { ErrorCode } from "../../api/error-codes.ts";
import { exchangeToken, getTokenAudience } from "../../api/resources/token-exchange.ts";
import { retry } from "../../net/retry.ts";
import { type Asking, identityToken } from "./identity-token.ts";
import type { TokenRequest } from "./token-request.ts";

/** Source of identity tokens. */
export interface TokenSource {
  /** Whether it issues tokens for an audience. Otherwise, the system or the job's definition sets the audience. */
  readonly takesAudience: boolean;
  token(audience: string, asking: Asking): Promise<string>;
  /** Secret with which the job can exchange its only token again. */
  repeatSecret?(token: string): Promise<string | undefined>;
  /** Adds advice to an error of the exchange. */
  explained?(error: unknown, audience: () => Promise<string>): Promise<unknown>;
}

interface Exchange {
  /** Source of the identity token, or GitHub's endpoint. */
  readonly request: TokenRequest | TokenSource;
  readonly options: Omit<KeylessOptions, "accessTokens">;
  /** The trust policy to use if several match. */
  readonly policy: string | undefined;
  /** Masks a secret in the log from now on. */
  readonly mask: (secret: string) => void;
  readonly naming?: Naming;
}

/** Access tokens, exchanged for identity tokens. */
export interface WorkflowTokens extends AccessTokens {
  /** Requests the first token now, so that it is ready when needed. */
  begin(): void;
}

/** Requests no token before `begin` or the first use. */
export function workflowTokens(exchange: Exchange): WorkflowTokens {
  let requested: Promise<string> | undefined;
  const request = () => {
    requested = accessToken(exchange);
    // Users of the token get the error.
    requested.catch(() => {});
    return requested;
  };
  return {
    begin: () => void request(),
    async current(refused) {
      const token = await (requested ?? request());
      return token === refused ? request() : token;
    },
  };
}

async function accessToken({ request, options, policy, mask, naming }: Exchange): Promise<string> {
  const anonymous = { ...options, oneDeadline: true, accessTokens: NOBODY };
  const service = connect(anonymous, naming);
  // Each token is exchanged once. If the response is lost, a new token is requested.
  const once = connect({ ...anonymous, retries: 0 }, naming);
  const source = "url" in request ? gitHubTokens(request) : request;
  try {
    const audience = source.takesAudience ? await audienceOf(service) : "";
    const attempt = async () => {
      const token = await source.token(audience, { service, ...options });
      mask(token);
      const repeatSecret = await source.repeatSecret?.(token);
      const body = {
        ...{ token, org: options.org },
        ...(policy === undefined ? {} : { policy }),
        ...(repeatSecret === undefined ? {} : { repeatSecret }),
      };
      return call(once, exchangeToken, { body }).catch((error: unknown) => ({ error }));
    };
    const { outcome } = await service.within((deadline) =>
      retry(attempt, {
        attempts: service.retries + 1,
        deadline,
        least: (each) => ("error" in each && isUnavailable(each.error) ? 0 : undefined),
      }),
    );
    if ("error" in outcome) {
      const { error } = outcome;
      throw (await source.explained?.(error, () => requestedAudience(service))) ?? error;
    }
    mask(outcome.body.accessToken);
    return outcome.body.accessToken;
  } finally {
    await Promise.all([service.close(), once.close()]);
  }
}

/** @throws ProtocolError for the audience of another service, where the token would let this one act in our name */
async function audienceOf(service: Connection): Promise<string> {
  const audience = await requestedAudience(service);
  if (URL.parse(audience)?.host === new URL(service.baseUrl).host) return audience;
  throw new ProtocolError({
    what: `The service requests a token for '${audience}', which is not the service's own address`,
    advice: `Set ${optionName(service.naming, "baseUrl")} to the service's public address, which its operator sets with --public-url.`,
  });
}

async function requestedAudience(service: Connection): Promise<string> {
  try {
    return (await call(service, getTokenAudience, { org: service.org })).body.audience;
  } catch (error) {
    if (!(error instanceof ApiError) || ![401, 403, 404, 405].includes(error.status)) throw error;
    throw error.explained({
      advice: `The service does not accept tokens of workflows. Set ${optionName(service.naming, "apiKey")} to the key of a service account.`,
    });
  }
}

function gitHubTokens(request: TokenRequest): TokenSource {
  return {
    takesAudience: true,
    token: (audience, asking) => identityToken(request, audience, asking),
    explained: async (error) => untrusted(error, "this workflow: delivery-evidence trust github OWNER/REPO"),
  };
}

/**
 * Adds how to trust a job that no policy matches.
 *
 * @param code a further code of the service that means so
 */
export function untrusted(error: unknown, trust: string, code?: ErrorCode): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.status !== 400 && (code === undefined || error.code !== code)) return error;
  return error.explained({
    advice: `Ask an admin to trust ${trust} --flow FLOW. The operation explainTrust shows what does not match. If several policies match, set trust-policy or EVIDENCE_TRUST_POLICY to one.`,
  });
}

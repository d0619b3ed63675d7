import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod/mini";
import { type Connection, connect, NOBODY } from "../api/client/connection.ts";
import { isUnavailable, ProtocolError } from "../api/client/errors.ts";
import { parseJson } from "../api/json.ts";
import { bodyOf } from "../net/body.ts";
import type { Received } from "../net/client.ts";
import { type Environment, UsageError } from "./usage.ts";

/* The requests of RFC 8628 and RFC 7009. The service answers them beside its API. */

interface Service {
  readonly baseUrl: string;
  readonly allowHttp: boolean;
  readonly environment: Environment;
  readonly note: (line: string) => void;
}

export function connectAsNobody({ baseUrl, allowHttp, environment, note }: Service): Connection {
  const options = {
    ...{ baseUrl, allowHttp, org: "unnamed", accessTokens: NOBODY, proxyVariables: environment },
    onRetry: ({ attempt, attempts, reason }: { attempt: number; attempts: number; reason: string }) =>
      note(`attempt ${attempt} of ${attempts} failed: ${reason}`),
  };
  return connect(options, "options");
}

const CLIENT = { client_id: "delivery-evidence" };

const begun = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.optional(z.string()),
  expires_in: z.number(),
  interval: z._default(z.number(), 5),
});

export type DeviceLogin = z.infer<typeof begun>;

const granted = z.object({
  access_token: z.string().check(z.regex(/^[\x21-\x7e]+$/)),
  expires_in: z.number(),
});

export interface Granted {
  readonly token: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

const refused = z.object({ error: z.string(), error_description: z.optional(z.string()) });

/** @throws {UsageError} with the reason of the service, if it refuses */
export async function beginDeviceLogin(
  connection: Connection,
  org: string | undefined,
): Promise<DeviceLogin> {
  const fields = { ...CLIENT, device_name: hostname(), ...(org !== undefined && { org }) };
  const answer = await post(connection, "device", fields);
  const read = z.safeParse(begun, answer.content);
  if (answer.status === 200 && read.success) return read.data;
  const { data } = z.safeParse(refused, answer.content);
  if (data !== undefined) throw new UsageError(data.error_description ?? data.error);
  throw new ProtocolError({
    what: `${connection.baseUrl.replace("/api/v2", "")} does not let command lines sign in (status ${answer.status})`,
    advice: "Check --base-url, or set EVIDENCE_API_KEY to the API key of an account.",
  });
}

const MESSAGES: Readonly<Record<string, string>> = {
  access_denied: "The request was denied in the browser",
  expired_token: "The code has expired. Run the command again",
};

/** Waits for the person's answer. @throws {UsageError} if it is no, or does not come in time */
export async function grantOf(
  connection: Connection,
  { device_code, expires_in, interval }: DeviceLogin,
): Promise<Granted> {
  const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
  const end = Date.now() + expires_in * 1000;
  for (let seconds = interval; Date.now() < end; ) {
    await delay(seconds * 1000);
    const answer = await post(connection, "device/token", { ...CLIENT, grant_type, device_code }, 1).catch(
      (error: unknown) => {
        // The service may restart while the person decides.
        if (isUnavailable(error)) return undefined;
        throw error;
      },
    );
    if (answer === undefined || answer.status >= 500 || answer.status === 429) continue;
    const { data } = z.safeParse(granted, answer.content);
    if (answer.status === 200 && data !== undefined) {
      return { token: data.access_token, expiresAt: Math.floor(Date.now() / 1000 + data.expires_in) };
    }
    const { error = "", error_description } = z.safeParse(refused, answer.content).data ?? {};
    if (error === "slow_down") seconds += 5;
    else if (error !== "authorization_pending") {
      throw new UsageError(MESSAGES[error] ?? error_description ?? `The service answered ${answer.status}`);
    }
  }
  throw new UsageError(MESSAGES["expired_token"]);
}

/** Ends the session of a token. Unknown tokens are no error. */
export async function revokeToken(connection: Connection, token: string): Promise<void> {
  await post(connection, "device/revoke", { ...CLIENT, token });
}

async function post(
  { baseUrl, client, within }: Connection,
  path: string,
  fields: Readonly<Record<string, string>>,
  attempts?: number,
): Promise<Pick<Received, "status"> & { content: unknown }> {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(/api\/v2$/, `login/${path}`);
  const body = bodyOf("application/x-www-form-urlencoded", String(new URLSearchParams(fields)));
  const headers = { accept: "application/json" };
  const sent = { operation: "login", method: "POST", url, headers, body, attempts } as const;
  const { status, bytes } = await within((deadline) => client.send(sent, deadline));
  return { status, content: parseJson(bytes.toString())?.value };
}

import * as z from "zod/mini";
import { type Connection, serviceCounterpart } from "../../api/client/connection.ts";
import { ProtocolError } from "../../api/client/errors.ts";
import { failedExchange } from "../../api/client/failed-exchange.ts";
import { parseJson } from "../../api/json.ts";
import { Client, type ClientOptions } from "../../net/client.ts";
import { PROFILES } from "../../net/profiles.ts";
import { isLoopback } from "../../net/proxy.ts";
import type { TokenRequest } from "./token-request.ts";

interface Asking extends Pick<ClientOptions, "proxyVariables" | "onRetry"> {
  /** Its deadline, number of retries and names of options apply. */
  readonly service: Pick<Connection, "within" | "retries" | "naming">;
}

const issued = z.object({ value: z.string().check(z.minLength(1)) });

/** An identity token of the workflow for one audience. It expires after some minutes. */
export async function identityToken(
  { url: address, token }: TokenRequest,
  audience: string,
  { service, ...options }: Asking,
): Promise<string> {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== "https:" && !isLoopback(url.hostname))) {
    throw new ProtocolError({ what: "ACTIONS_ID_TOKEN_REQUEST_URL is not an https:// address" });
  }
  url.searchParams.set("audience", audience);
  const counterpart = serviceCounterpart((text) => text.replaceAll(token, "***"), service.naming);
  await using client = new Client({
    ...options,
    profile: { ...PROFILES.tokens, attempts: service.retries + 1 },
    errorOf: (failure) => failedExchange(failure, counterpart),
  });
  const headers = { accept: "application/json", authorization: `bearer ${token}` };
  const sent = { operation: "GitHub's token", method: "GET", url, headers } as const;
  const { status, bytes } = await service.within((deadline) => client.send(sent, deadline));
  const answer = status === 200 ? z.safeParse(issued, parseJson(bytes.toString())?.value) : undefined;
  if (answer?.success) return answer.data.value;
  throw new ProtocolError({
    what: `GitHub returned no identity token for this job (${status})`,
    advice: "Check that the job has the permission id-token: write, and rerun the job.",
  });
}

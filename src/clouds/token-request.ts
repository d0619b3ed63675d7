import { asText } from "../api/untyped.ts";
import type { BodySource } from "../net/body.ts";
import { objectIn } from "./answers.ts";
import type { Cloud } from "./cloud.ts";
import { RemoteFault } from "./remote-fault.ts";

interface TokenRequest {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body for each attempt, because an assertion may be replaced or used only once. */
  readonly body: () => Promise<BodySource>;
  /** Names of the field with the token. */
  readonly fields: readonly string[];
}

/** Requests a token, and masks it. @throws RemoteFault */
export async function requestToken(
  cloud: Cloud,
  { url, headers = {}, body, fields }: TokenRequest,
): Promise<string> {
  const answer = objectIn(
    await cloud.ask(async () => ({
      operation: url.host,
      method: "POST",
      url,
      headers: { accept: "application/json", ...headers },
      body: await body(),
    })),
  );
  const token = fields.map((field) => asText(answer[field])).find(Boolean);
  if (token === undefined) throw RemoteFault.wrong(url.host, "sent no token");
  cloud.options.mask(token);
  return token;
}

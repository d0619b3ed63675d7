import type { IncomingMessage } from "node:http";
import type { RequestSource } from "../kernel/caller.ts";
import { Forbidden, Invalid } from "../kernel/errors.ts";
import { decodeUtf8, parseJson } from "../kernel/json-text.ts";
import { isStorable } from "../kernel/storable-text.ts";
import { ofOrganization } from "../operation/context.ts";
import { ScimProblem } from "../people/scim/problem.ts";
import { answerScim, ERROR_SCHEMA } from "../people/scim/requests.ts";
import { type FoundToken, findToken, noteUse } from "../people/scim/tokens.ts";
import { providersFor } from "../people/sign-in/find-provider.ts";
import type { Logins } from "../people/sign-in/logins.ts";
import { type Answer, errorAnswer, HttpError } from "./error-answer.ts";
import { readSmallBytes } from "./receive.ts";
import { refuseOtherTypes } from "./received-text.ts";
import { type RequestTarget, refuseRepeatedHeaders } from "./request-head.ts";
import type { Served } from "./serve-operation.ts";

export const SCIM_PATH = "/scim/v2/:org/*";

/** Maximum size of a request, in bytes: a group of 20,000 members. */
const MAX_BYTES = 2 * 1024 * 1024;

const TYPE = "application/scim+json";

interface ScimServed extends Pick<Served, "context" | "admission"> {
  readonly logins: Logins;
}

interface Sent {
  readonly incoming: IncomingMessage;
  readonly source: RequestSource;
  readonly target: RequestTarget;
}

/** Serves an identity provider that sends users and groups. Its requests are no operations, because SCIM defines them. */
export async function serveScim(
  { incoming, source, target }: Sent,
  { context, logins, admission: { rateLimits } }: ScimServed,
): Promise<Answer> {
  refuseRepeatedHeaders(incoming);
  const [orgName = "", ...steps] = stepsOf(target);
  const now = context.now();
  const { token } = await rateLimits.admit(incoming, async () => {
    const found = await authenticated(incoming.headers.authorization, (text) =>
      findToken(context.store.read, text, { orgName, now }),
    );
    return { token: found, caller: { keyId: found.id } };
  });
  const { org } = token;
  const used = ofOrganization(context, org);
  if (token.isDue) await used.store.write((db) => noteUse(db, token.id, now));
  const provider = (await providersFor({ context, logins }, org.name)).find(
    ({ name }) => name === token.provider,
  );
  if (provider === undefined)
    throw new Forbidden(
      "login_provider.not_found",
      `Login provider '${token.provider}' does not exist any more`,
    );
  const by = { ...source, orgId: org.id, now, accountName: provider.label, accountId: null, keyId: null };
  const { status, body } = await answerScim(
    {
      ...{ method: incoming.method ?? "GET", steps, query: new URLSearchParams(target.query) },
      body: () => bodyOf(incoming),
    },
    { store: used.store, links: context.links, log: logins.log, org, provider, by },
  );
  const location = locationIn(body);
  return {
    status,
    headers: { "content-type": TYPE, ...(location !== undefined && { location }) },
    body: body === undefined ? "" : JSON.stringify(body),
  };
}

/** An error in the form of RFC 7644. */
export function scimErrorAnswer(error: unknown, requestId: string): Answer {
  const { status, headers, body } = errorAnswer(error, requestId);
  const { message } = JSON.parse(String(body));
  const fields = error instanceof Invalid ? Object.values(error.errors ?? {}) : [];
  const scimType = error instanceof Invalid ? "invalidSyntax" : scimTypeOf(error);
  return {
    status,
    headers: { ...headers, "content-type": TYPE },
    body: JSON.stringify({
      schemas: [ERROR_SCHEMA],
      status: String(status),
      ...(scimType !== undefined && { scimType }),
      detail: [message, ...fields].join(": "),
    }),
  };
}

function scimTypeOf(error: unknown) {
  return error instanceof ScimProblem ? error.scimType : undefined;
}

/** The steps after `/scim/v2`. A slash at the end is ignored. */
function stepsOf({ path }: RequestTarget): string[] {
  const steps = path.split("/").slice(3);
  if (steps.at(-1) === "") steps.pop();
  return steps.map((step) => {
    try {
      const text = decodeURIComponent(step);
      if (isStorable(text)) return text;
    } catch {
      // Answered below.
    }
    throw new ScimProblem(404, "The path is not a text");
  });
}

/** @throws HttpError 401 */
async function authenticated(
  header = "",
  find: (token: string) => Promise<FoundToken | "unknown" | "expired">,
): Promise<FoundToken> {
  const [, token] = /^\s*bearer\s+(\S+)\s*$/i.exec(header) ?? [];
  const found = token === undefined ? "unknown" : await find(token);
  const challenge = { "www-authenticate": "Bearer" };
  if (found === "unknown")
    throw new HttpError(401, "auth.token_invalid", "Unauthorized: the SCIM token is not known", challenge);
  if (found === "expired")
    throw new HttpError(401, "auth.token_expired", "Unauthorized: the SCIM token has expired", challenge);
  return found;
}

async function bodyOf(incoming: IncomingMessage): Promise<unknown> {
  refuseOtherTypes(incoming);
  const text = decodeUtf8(await readSmallBytes(incoming, MAX_BYTES), "body");
  parseJson(text, "body");
  // Numbers need not keep their digits.
  return JSON.parse(text);
}

function locationIn(body: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const location: unknown = Object(body?.["meta"]).location;
  return typeof location === "string" ? location : undefined;
}

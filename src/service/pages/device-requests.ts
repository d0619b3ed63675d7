import type { Answer } from "../http/error-answer.ts";
import type { ServedPage } from "../http/page-host.ts";
import type { RoutedRequest } from "../http/serve-operation.ts";
import { isStorable } from "../kernel/storable-text.ts";
import { isPersonToken, PERSON_SECONDS } from "../people/members/person-sessions.ts";
import { forgetSession, isSession } from "../people/sessions.ts";
import {
  beginDeviceLogin,
  DEVICE_LOGIN_SECONDS,
  POLL_SECONDS,
  pollDeviceLogin,
} from "../people/sign-in/device-logins.ts";
import { providersFor } from "../people/sign-in/find-provider.ts";
import { type PageParts, pathsOf } from "./render.ts";
import { readForm } from "./sent-form.ts";

/** Requests of command lines that sign in: forms of OAuth (RFC 8628 and RFC 7009), answered with JSON. */
export function deviceRequests(parts: PageParts): ServedPage[] {
  const form = (path: string, serve: Serve): ServedPage => {
    return { method: "POST", path, name: "device", serve: (request) => serve(request, parts) };
  };
  return [
    form("/login/device", begin),
    form("/login/device/token", poll),
    form("/login/device/revoke", revoke),
  ];
}

type Serve = (request: RoutedRequest, parts: PageParts) => Promise<Answer>;

const MOST_CHARACTERS = 200;

async function begin({ incoming, source }: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(incoming);
  // Any client can begin a request, and each is stored, so requests are limited like failed logins.
  parts.rateLimits.refuse(incoming);
  const sent = await readForm(incoming);
  const org = sent.get("org") ?? undefined;
  if ((await providersFor(parts, org)).length === 0) {
    const where = org === undefined ? "without --org" : `to '${org}'`;
    return failed("unauthorized_client", `No login provider signs people in ${where}. Use an API key`);
  }
  const device = (sent.get("device_name") ?? "").trim().slice(0, MOST_CHARACTERS);
  const { deviceCode, userCode } = await beginDeviceLogin(parts.context, {
    device: device !== "" && isStorable(device) ? device : null,
    address: source.address,
  });
  const page = new URL(pathsOf(parts).root("login", "device"), parts.publicUrl());
  // The sign-in page shows the providers of the organization.
  if (org !== undefined) page.searchParams.set("org", org);
  const complete = new URL(page);
  complete.searchParams.set("user_code", userCode);
  return json(200, {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page.href,
    verification_uri_complete: complete.href,
    expires_in: DEVICE_LOGIN_SECONDS,
    interval: POLL_SECONDS,
  });
}

const DESCRIPTIONS = {
  authorization_pending: "The request has no answer yet",
  slow_down: "Wait five more seconds between requests",
  access_denied: "The request was denied, or the person has no access any more",
  expired_token: "The code is unknown, was used or has expired",
};

async function poll({ incoming, source }: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(incoming);
  const deviceCode = (await readForm(incoming)).get("device_code") ?? "";
  const polled = await pollDeviceLogin(parts.context, { deviceCode, source });
  if ("token" in polled) {
    const expiry = { expires_in: PERSON_SECONDS["command line"] };
    return json(200, { access_token: polled.token, token_type: "Bearer", ...expiry });
  }
  const { error } = polled;
  if (error === "expired_token") parts.rateLimits.refuse(incoming);
  return failed(error, DESCRIPTIONS[error]);
}

/** The answer is the same for unknown tokens. */
async function revoke({ incoming }: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(incoming);
  const token = (await readForm(incoming)).get("token") ?? "";
  const { read, write } = parts.context.store;
  // A stranger's texts must not make the writes of all organizations wait.
  if (isPersonToken(token) && (await isSession(read, token))) await write((db) => forgetSession(db, token));
  return json(200, {});
}

function failed(error: string, description: string): Answer {
  return json(400, { error, error_description: description });
}

function json(status: number, content: Readonly<Record<string, unknown>>): Answer {
  return { status, headers: {}, body: JSON.stringify(content) };
}

import { randomUUID } from "node:crypto";
import { logPlaceOf } from "../events/log/log-place.ts";
import type { Answer } from "../http/error-answer.ts";
import type { RateLimits } from "../http/rate-limits.ts";
import type { RoutedRequest } from "../http/serve-operation.ts";
import { NotFound } from "../kernel/errors.ts";
import { ofOrganization, type ServiceContext } from "../operation/context.ts";
import type { Handlers } from "../operation/handler.ts";
import { once, requestHash } from "../operation/idempotency.ts";
import { endSession, type SessionOwner, sessionsOf } from "../people/sessions.ts";
import type { Logins } from "../people/sign-in/logins.ts";
import { themeIn } from "./cookies.ts";
import { layout } from "./layout.ts";
import { makeCall, mayOf } from "./operation-calls.ts";
import { ownIdentities } from "./own-identities.ts";
import type { FormShape, Page, PageRequest, Raw, Redirect } from "./page.ts";
import { rawAnswer, safetyHeaders, textAnswer } from "./page-answer.ts";
import { type Html, html } from "./parts/html.ts";
import { makePaths, type Paths } from "./paths.ts";
import { FORM_ID, FORM_TOKEN, maskedFormToken } from "./sent-form.ts";
import type { Viewer } from "./viewers.ts";

export interface PageParts {
  readonly handlers: Handlers;
  readonly context: ServiceContext;
  readonly logins: Logins;
  /** Base URL of the service. It is a function because a free port is known late. */
  readonly publicUrl: () => string;
  readonly publicOrgs: ReadonlySet<string>;
  /** Organizations to whose pages only people and the operator's admin keys sign in. */
  readonly ssoOrgs: ReadonlySet<string>;
  readonly rateLimits: Pick<RateLimits, "visit" | "use" | "refuse">;
  /** Served names of the assets, by their names in the sources. */
  readonly assets: ReadonlyMap<string, string>;
}

export function seeOther(
  location: string,
  { publicUrl }: Pick<PageParts, "publicUrl">,
  cookie?: string,
): Answer {
  const headers = { ...safetyHeaders(publicUrl()), "cache-control": "no-store", location };
  return {
    status: 303,
    headers: cookie === undefined ? headers : { ...headers, "set-cookie": cookie },
    body: "",
  };
}

/** The sign-in page, which leads back to the requested page. */
export function signInAddress({ target }: Pick<RoutedRequest, "target">, parts: PageParts): string {
  const { root, withPrefix } = pathsOf(parts);
  const next = withPrefix(target.query === "" ? target.path : `${target.path}?${target.query}`);
  return `${root("login")}?next=${encodeURIComponent(next)}`;
}

export function pathsOf({ publicUrl, assets }: Pick<PageParts, "publicUrl" | "assets">, org = ""): Paths {
  return makePaths({ publicUrl: publicUrl(), org, assets });
}

export function pageRequest(
  request: RoutedRequest,
  viewer: Viewer,
  parts: PageParts,
  { sent, reading = parts.context }: { sent?: URLSearchParams; reading?: ServiceContext } = {},
) {
  const { handlers, context } = parts;
  const org = viewer.org.name;
  const to = pathsOf(parts, org);
  const query = new URLSearchParams(request.target.query);
  const form = ({ act, action, content, button, label = button, isDangerous }: FormShape): Html => {
    if (viewer.kind !== "account") return html``;
    return html`<form class="${isDangerous ? "act danger" : "act"}" method="post"${action === undefined ? "" : html` action="${action}"`}${label === undefined ? "" : html` aria-label="${label}"`}>
<input type="hidden" name="${FORM_TOKEN}" value="${maskedFormToken(viewer.formToken)}">
<input type="hidden" name="${FORM_ID}" value="${randomUUID()}">
${act === undefined ? "" : html`<input type="hidden" name="act" value="${act}">`}${content ?? ""}${button === undefined ? "" : html`<p><button type="submit">${button}</button></p>`}
</form>`;
  };
  const hash = () => requestHash(["POST", request.target.path, sent?.toString() ?? ""]);
  // The hash covers the values, so a changed form is not a repeat.
  const identity = { apiKeyId: viewer.caller.keyId, idempotencyKey: sent && hash(), hash };
  const page: PageRequest = {
    params: request.pathParams,
    query,
    org,
    viewer,
    to,
    now: context.now(),
    call: makeCall({
      handlers,
      context: ofOrganization(context, viewer.org),
      reading,
      sender: { org: viewer.org, caller: viewer.caller, source: request.source },
      identity,
    }),
    may: mayOf(viewer),
    mayOpen: viewer.kind === "share" ? () => false : mayOf(viewer),
    theme: themeIn(request.incoming.headers.cookie),
    logPlaceOf: async (attestationId) =>
      mayOf(viewer)("getLogProof") ? logPlaceOf(reading.store.read, viewer.org.id, attestationId) : undefined,
    sessions: {
      list: () => sessionsOf(reading.store.read, sessionOwner(viewer), context.now()),
      async end(id) {
        const orgId = viewer.org.id;
        await context.store.write((db) => endSession(db, { id, ...sessionOwner(viewer) }), { orgId });
      },
    },
    identities: ownIdentities(request, viewer, parts, to),
    isOperators: org === context.operators,
    here(changes) {
      const changed = new URLSearchParams(query);
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined) changed.delete(name);
        else changed.set(name, String(value));
      }
      return changed.size === 0 ? to.withPrefix(request.target.path) : `?${changed}`;
    },
    entered: (field, otherwise = "") => sent?.get(field) ?? otherwise,
    problem: () => undefined,
    enteredAll: (field) => sent?.getAll(field),
    form,
  };
  const isFirst = async () => {
    let first = false;
    const { apiKeyId, idempotencyKey = "" } = identity;
    await context.store.write(
      (db) =>
        once(db, {
          identity: { apiKeyId, idempotencyKey: `shown once ${idempotencyKey}`, hash },
          now: context.now(),
          async record() {
            first = true;
            return { status: 200 };
          },
        }),
      { orgId: viewer.org.id },
    );
    return first;
  };
  return { request: page, isFirst };
}

export function sessionOwner(viewer: Viewer): SessionOwner {
  const personId = viewer.kind === "account" ? viewer.person?.id : undefined;
  return { accountId: viewer.caller.accountId, personId };
}

interface Answering {
  readonly request: RoutedRequest;
  readonly viewer: Viewer | undefined;
  readonly parts: PageParts;
  readonly alert?: Html;
}

export async function answer(
  shown: Page | Redirect | Raw,
  { request: { incoming, target }, viewer, parts, alert }: Answering,
): Promise<Answer> {
  const headers = safetyHeaders(parts.publicUrl());
  if ("redirect" in shown) return seeOther(shown.redirect, parts, shown.cookie);
  if ("raw" in shown) return rawAnswer(shown);
  const query = new URLSearchParams(target.query);
  const keeping = {
    headers,
    ifNoneMatch: incoming.headers["if-none-match"],
    acceptEncoding: incoming.headers["accept-encoding"],
    isFinal: shown.isFinal ?? false,
    isSecret: shown.isSecret ?? false,
  };
  const { status = 200 } = shown;
  // A refused filter has no table, and its page says why.
  if (query.get("format") === "csv" && incoming.method !== "POST" && status === 200) {
    const id = query.get("table");
    const table = shown.tables?.find((each) => each.id === id);
    if (table === undefined)
      throw new NotFound("request.path_not_found", `This page has no table '${id ?? ""}'`);
    const disposition = `attachment; filename="${table.id}.csv"`;
    return textAnswer(table.csv(), {
      ...keeping,
      status: 200,
      mediaType: "text/csv; charset=utf-8",
      headers: { ...headers, "content-disposition": disposition },
    });
  }
  const org = viewer?.org.name ?? "";
  const to = pathsOf(parts, org);
  const theme = themeIn(incoming.headers.cookie);
  const text = layout(shown, { org, viewer, to, alert, theme, path: to.withPrefix(target.path) }).markup;
  return textAnswer(text, {
    ...keeping,
    status,
    mediaType: "text/html; charset=utf-8",
  });
}

/** @param viewer has the navigation of the organization */
export function plainPage(
  page: Page,
  request: RoutedRequest,
  parts: PageParts,
  viewer?: Viewer,
): Promise<Answer> {
  return answer(page, { request, viewer, parts });
}

import { type Answer, errorAnswer } from "../http/error-answer.ts";
import { isForPeople, type PageHost, type ServedPage } from "../http/page-host.ts";
import type { RoutedRequest } from "../http/serve-operation.ts";
import { Forbidden, Invalid, NotFound, Refusal } from "../kernel/errors.ts";
import { findCaller, onCopy } from "../operation/copies.ts";
import { isTakenName } from "../people/accounts/organizations.ts";
import type { Reading, Store } from "../store/store.ts";
import { readAssets, versionsOf } from "./assets.ts";
import { Cookies } from "./cookies.ts";
import { entryPages } from "./entry-pages.ts";
import type { FormRequest, PageRoute } from "./page.ts";
import { safetyHeaders, takesGzip } from "./page-answer.ts";
import { html } from "./parts/html.ts";
import { problemList, RefusedForm } from "./refused-form.ts";
import {
  answer,
  type PageParts,
  pageRequest,
  pathsOf,
  plainPage,
  seeOther,
  signInAddress,
} from "./render.ts";
import { routes } from "./routes.ts";
import { readForm, refuseForeign, requireFormToken } from "./sent-form.ts";
import { isShown, type Viewer, viewersOf } from "./viewers.ts";

const ASSETS = ["page.css", "page.js", "icon.svg"];
let read: ReturnType<typeof readAssets> | undefined;
/** One year, because the name of a file changes with its content. */
const IMMUTABLE = "public, max-age=31536000, immutable";

export function makePages(given: Omit<PageParts, "assets">): PageHost {
  read ??= readAssets(ASSETS);
  const assets = read;
  const parts = { ...given, assets: new Map(assets.map(({ name, servedAs }) => [name, servedAs])) };
  const files: ServedPage[] = assets.map(({ name, servedAs, mediaType, content, gzip }) => ({
    method: "GET",
    path: `/assets/:file{${versionsOf(name)}}`,
    name: "asset",
    async serve({ incoming, pathParams }) {
      const compressed = takesGzip(incoming.headers["accept-encoding"]);
      const headers = {
        ...safetyHeaders(parts.publicUrl()),
        "content-type": mediaType,
        // A cached page, or another release at this address, may request another version.
        "cache-control": pathParams["file"] === servedAs ? IMMUTABLE : "no-cache",
        vary: "accept-encoding",
        ...(compressed ? { "content-encoding": "gzip" } : {}),
      };
      return { status: 200, headers, body: compressed ? gzip : content };
    },
  }));
  const shown = routes.map((route): ServedPage => {
    return { method: "GET", path: route.path, name: "page", serve: (request) => show(route, request, parts) };
  });
  const sent = routes
    .filter(({ act }) => act !== undefined)
    .map((route): ServedPage => {
      return {
        method: "POST",
        path: route.path,
        name: "form",
        serve: (request) => act(route, request, parts),
      };
    });
  return {
    served: [...files, ...entryPages(parts), ...shown, ...sent],
    failed: (error, request) => failed(error, request, parts),
  };
}

async function show(route: PageRoute, request: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(request.incoming);
  if (isTakenName(request.pathParams["org"] ?? "")) throw pageNotFound();
  const { store } = parts.context;
  const viewer = await findCaller(store, (reading) => viewerFor(route, request, { parts, reading }));
  if (viewer === undefined) return signInFirst(request, parts);
  identify(request, viewer, parts);
  return onCopy(parts.context, async (reading) => {
    const prepared = pageRequest(request, viewer, parts, { reading });
    return answer(await route.show(prepared.request), { ...prepared, request, viewer, parts });
  });
}

async function act(route: PageRoute, request: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(request.incoming);
  refuseForeign(request.incoming, parts.publicUrl());
  const viewer = await viewerFor(route, request, { parts, reading: parts.context.store });
  if (viewer === undefined) return signInFirst(request, parts);
  if (viewer.kind !== "account" || route.act === undefined) throw new Forbidden();
  identify(request, viewer, parts);
  const sent = await readForm(request.incoming);
  requireFormToken(sent, viewer.formToken);
  const prepared = pageRequest(request, viewer, parts, { sent });
  const form: FormRequest = { ...prepared.request, sent, isFirst: prepared.isFirst };
  const all = { ...prepared, request, viewer, parts };
  try {
    return answer(await route.act(form), all);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Shows the form again with its values and the error.
    const refused = new RefusedForm(sent, error);
    const page = await route.show({ ...form, problem: refused.problem });
    if (!("main" in page)) throw error;
    return answer({ ...page, status: page.status ?? statusOf(error) }, { ...all, alert: refused.alert() });
  }
}

/**
 * Returns the first viewer that may see the page; undefined if signing in may help.
 * @throws NotFound for a known viewer, since a forbidden page looks like a missing one
 */
async function viewerFor(
  route: PageRoute,
  request: RoutedRequest,
  { parts, reading }: { parts: PageParts; reading: Reading | Store },
): Promise<Viewer | undefined> {
  const { pathParams } = request;
  const { viewers, isKnown } = await viewersIn(request, pathParams["org"], { parts, reading });
  const viewer = viewers.find((each) => maySee(each, route, pathParams));
  if (viewer === undefined && isKnown) throw pageNotFound();
  return viewer;
}

function viewersIn(
  { incoming }: RoutedRequest,
  org: string | undefined,
  { parts, reading }: { parts: PageParts; reading: Reading | Store },
) {
  const { context, publicOrgs, ssoOrgs, publicUrl } = parts;
  const known = { ...reading, publicOrgs, ssoOrgs, cookies: new Cookies(publicUrl()), now: context.now() };
  return viewersOf(incoming, org, known);
}

function identify({ identified }: RoutedRequest, viewer: Viewer, { rateLimits }: PageParts): void {
  if (viewer.kind !== "account") return;
  identified(viewer.caller);
  rateLimits.use(viewer.caller.keyId);
}

function maySee(viewer: Viewer, { audience, subject }: PageRoute, params: Record<string, string>): boolean {
  switch (viewer.kind) {
    case "account":
      return true;
    case "public":
      return audience === "everybody";
    case "share": {
      const about = subject?.(params);
      return about !== undefined && isShown(about, viewer.subject);
    }
  }
}

const NOTHING = "This page does not exist, or you have no access to it";
const pageNotFound = () => new NotFound("request.path_not_found", NOTHING);

function signInFirst(request: RoutedRequest, parts: PageParts): Answer {
  if (!isForPeople(request.incoming)) throw pageNotFound();
  return seeOther(signInAddress(request, parts), parts);
}

function statusOf(error: Refusal): 400 | 403 | 404 | 409 {
  switch (error.status) {
    case 403:
    case 404:
    case 409:
      return error.status;
    default:
      return 400;
  }
}

/** The page for a failed request. A forbidden page looks like a missing one. */
async function failed(error: unknown, request: RoutedRequest, parts: PageParts): Promise<Answer> {
  const isHidden = error instanceof Forbidden && request.incoming.method !== "POST";
  const answered = errorAnswer(isHidden ? pageNotFound() : error, request.source.requestId ?? "");
  const { message, code } = JSON.parse(String(answered.body));
  const problems = error instanceof Invalid ? Object.entries(error.errors ?? {}) : [];
  const what =
    answered.status === 404
      ? html`<p>${NOTHING}.</p>`
      : html`<p>${message}.</p>${problemList(problems)}<p><code>${code}</code></p>`;
  const main = html`${what}<p><a href="${pathsOf(parts).root()}">First page</a></p>`;
  const title = TITLES[answered.status] ?? "Request failed";
  const { headers, body } = await plainPage({ title, main }, request, parts, await accountOf(request, parts));
  return {
    status: answered.status,
    headers: { ...headers, ...answered.headers, "cache-control": "no-store" },
    body,
  };
}

/** The signed-in account, whose own organization has the navigation. */
async function accountOf(request: RoutedRequest, parts: PageParts): Promise<Viewer | undefined> {
  const reading = parts.context.store;
  // The failure may be of the database.
  const found = await viewersIn(request, undefined, { parts, reading }).catch(() => undefined);
  return found?.viewers[0];
}

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad request",
  403: "Forbidden",
  404: "Not found",
  429: "Too many requests",
  500: "Internal error",
  503: "Temporarily unavailable",
};

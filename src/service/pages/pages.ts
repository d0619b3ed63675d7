import { html } from "hono/html";
import { isTakenName } from "../accounts/organization-name.ts";
import { type Answer, errorAnswer } from "../http/error-answer.ts";
import { isForPeople, type PageHost, type ServedPage } from "../http/page-host.ts";
import type { RoutedRequest } from "../http/serve-operation.ts";
import { Forbidden, Invalid, NotFound, Refusal } from "../kernel/errors.ts";
import { readAssets, versionsOf } from "./assets.ts";
import { Cookies } from "./cookies.ts";
import { signInPages } from "./entry-pages.ts";
import type { Html } from "./html.ts";
import type { FormRequest, PageRoute } from "./page.ts";
import { safetyHeaders, takesGzip } from "./page-answer.ts";
import { makePaths } from "./paths.ts";
import { answer, type PageParts, pageRequest, plainPage, seeOther } from "./render.ts";
import { routes } from "./routes.ts";
import { readForm, refuseForeign, requireFormToken } from "./sent-form.ts";
import { sharePages } from "./share.ts";
import { unsubscribePages } from "./unsubscribe.ts";
import { isShown, type Viewer } from "./viewer.ts";
import { viewersOf } from "./viewers.ts";

const ASSETS = ["page.css", "page.js", "icon.svg"];
/** A year: the name of a file changes with what it holds. */
const FOR_GOOD = "public, max-age=31536000, immutable";

/** The pages of the service, for its server to serve. */
export function makePages(given: Omit<PageParts, "assets">): PageHost {
  const assets = readAssets(ASSETS);
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
        // A page that a browser kept, or that another release behind the same address made, asks for another version.
        "cache-control": pathParams["file"] === servedAs ? FOR_GOOD : "no-cache",
        vary: "accept-encoding",
        ...(compressed ? { "content-encoding": "gzip" } : {}),
      };
      return { status: 200, headers, body: compressed ? gzip : content };
    },
  }));
  const pages = routes.flatMap((route): ServedPage[] => [
    { method: "GET", path: route.path, name: "page", serve: (request) => show(route, request, parts) },
    ...(route.act === undefined
      ? []
      : [
          {
            method: "POST" as const,
            path: route.path,
            name: "form",
            serve: (request: RoutedRequest) => act(route, request, parts),
          },
        ]),
  ]);
  return {
    served: [...files, ...signInPages(parts), ...unsubscribePages(parts), ...sharePages(parts), ...pages],
    failed: (error, request) => failed(error, request, parts),
  };
}

async function show(route: PageRoute, request: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(request.incoming);
  if (isTakenName(request.pathParams["org"] ?? "")) throw new NotFound(NOTHING);
  const viewer = await viewerFor(route, request, parts);
  if (viewer === undefined) return signInFirst(request, parts);
  identify(request, viewer, parts);
  const asked = pageRequest(request, viewer, parts);
  return answer(await route.show(asked.request), { ...asked, request, viewer, parts });
}

async function act(route: PageRoute, request: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(request.incoming);
  refuseForeign(request.incoming, parts.publicUrl());
  const viewer = await viewerFor(route, request, parts);
  if (viewer === undefined) return signInFirst(request, parts);
  if (viewer.kind !== "account" || route.act === undefined) throw new Forbidden();
  identify(request, viewer, parts);
  const sent = await readForm(request.incoming);
  requireFormToken(sent, viewer.formToken);
  const asked = pageRequest(request, viewer, parts, sent);
  const form: FormRequest = { ...asked.request, sent, isFirst: asked.isFirst };
  const all = { ...asked, request, viewer, parts };
  try {
    return answer(await route.act(form), all);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // What was sent is shown again, with what is wrong about it.
    const page = await route.show(form);
    if (!("main" in page)) throw error;
    return answer({ ...page, status: page.status ?? statusOf(error) }, { ...all, alert: refusal(error) });
  }
}

/**
 * Who sees a page: the first of those a request may be that may see it. Undefined for nobody, who may sign in.
 *
 * @throws NotFound for somebody: what he may not see looks like what is not there
 */
async function viewerFor(
  route: PageRoute,
  { incoming, pathParams }: RoutedRequest,
  { context: { store, now }, publicOrgs, publicUrl }: PageParts,
): Promise<Viewer | undefined> {
  const known = { store, publicOrgs, cookies: new Cookies(publicUrl()), now: now() };
  const { viewers, isSomebody } = await viewersOf(incoming, pathParams["org"], known);
  const viewer = viewers.find((each) => maySee(each, route, pathParams));
  if (viewer === undefined && isSomebody) throw new NotFound(NOTHING);
  return viewer;
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

const NOTHING = "There is nothing at this address, or nothing that you may see";

function signInFirst({ incoming, target }: RoutedRequest, parts: PageParts): Answer {
  if (!isForPeople(incoming)) throw new NotFound(NOTHING);
  const { root, asked } = makePaths({ publicUrl: parts.publicUrl(), org: "", assets: parts.assets });
  const next = asked(target.query === "" ? target.path : `${target.path}?${target.query}`);
  const headers = { ...safetyHeaders(parts.publicUrl()), "cache-control": "no-store" };
  return seeOther(`${root("login")}?next=${encodeURIComponent(next)}`, headers);
}

function refusal(error: Refusal): Html {
  const fields = error instanceof Invalid ? Object.entries(error.errors ?? {}) : [];
  if (fields.length === 0) return html`<p>${error.message}</p>`;
  return html`<p>${error.message}</p><ul>${fields.map(([name, problem]) => html`<li>${name}: ${problem}</li>`)}</ul>`;
}

function statusOf(error: Refusal): 400 | 403 | 404 | 409 {
  switch (error.kind) {
    case "forbidden":
      return 403;
    case "not found":
      return 404;
    case "conflict":
      return 409;
    default:
      return 400;
  }
}

/** The page for a request that failed. What one may not see looks like what is not there. */
async function failed(error: unknown, request: RoutedRequest, parts: PageParts): Promise<Answer> {
  const isHidden = error instanceof Forbidden && request.incoming.method !== "POST";
  const told = errorAnswer(isHidden ? new NotFound(NOTHING) : error, request.source.requestId ?? "");
  const { message } = JSON.parse(String(told.body));
  const { root } = makePaths({ publicUrl: parts.publicUrl(), org: "", assets: parts.assets });
  const main = html`<p>${told.status === 404 ? NOTHING : message}.</p><p><a href="${root()}">To the start</a></p>`;
  const { headers, body } = await plainPage(
    { title: TITLES[told.status] ?? "It did not work", main },
    request,
    parts,
  );
  return { status: told.status, headers: { ...headers, ...told.headers, "cache-control": "no-store" }, body };
}

const TITLES: Readonly<Record<number, string>> = {
  400: "The request is not right",
  403: "This may not be done",
  404: "Not found",
  429: "Too many requests",
  500: "The service failed",
  503: "Not just now",
};

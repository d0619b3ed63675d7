import type { Answer } from "../http/error-answer.ts";
import type { ServedPage } from "../http/page-host.ts";
import type { RoutedRequest } from "../http/serve-operation.ts";
import { NotFound } from "../kernel/errors.ts";
import type { Organization } from "../kernel/organization.ts";
import { findShare, type Shared } from "../people/share-links.ts";
import { Cookies } from "./cookies.ts";
import { safetyHeaders } from "./page-answer.ts";
import { makePaths } from "./paths.ts";
import { type PageParts, seeOther } from "./render.ts";

/** Where a link leads at first: the browser is given what opens the page, and goes on to it. */
export function sharePages(parts: PageParts): ServedPage[] {
  return [{ method: "GET", path: "/share/:token", name: "page", serve: (request) => open(request, parts) }];
}

async function open({ incoming, pathParams }: RoutedRequest, parts: PageParts): Promise<Answer> {
  parts.rateLimits.visit(incoming);
  const { store, now } = parts.context;
  const { token = "" } = pathParams;
  const share = await findShare(store.read, token, now());
  if (share === undefined) throw new NotFound("This link has ended, or it never was one");
  const cookie = new Cookies(parts.publicUrl()).set("share", token, share.expiresAt - now());
  const headers = { ...safetyHeaders(parts.publicUrl()), "cache-control": "no-store", "set-cookie": cookie };
  return seeOther(pathOf(share, share.org, parts), headers);
}

function pathOf({ kind, place, name }: Shared, org: Organization, { publicUrl, assets }: PageParts): string {
  const { page } = makePaths({ publicUrl: publicUrl(), org: org.name, assets });
  switch (kind) {
    case "trail":
      return page("flows", place, "trails", name ?? "");
    case "artifact":
      return page("flows", place, "artifacts", name ?? "");
    case "environment":
      return page("environments", place);
    case "badge":
      return page("flows", place, "badge.svg");
  }
}

import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import type { Viewer } from "../viewer.ts";
import { link } from "./link.ts";
import { text } from "./text.ts";

/** Links to other pages of the organization. Who came by a link for one page sees their names, and cannot go there. */
export function leads(viewer: Viewer): (href: string, name: string) => Html {
  return viewer.kind === "share" ? (_, name) => text(name) : link;
}

/** Links to the pages of an environment, which somebody with a right for named ones may hear of and not see. */
export function leadsTo(
  envName: string,
  { viewer, may }: Pick<PageRequest, "viewer" | "may">,
): (href: string, name: string) => Html {
  return may("getEnvironment", { envName }) ? leads(viewer) : (_, name) => text(name);
}

import type { Html } from "../html.ts";
import type { Viewer } from "../viewer.ts";
import { link } from "./link.ts";
import { text } from "./text.ts";

/** Links to other pages of the organization. Who came by a link for one page sees their names, and cannot go there. */
export function leads(viewer: Viewer): (href: string, name: string) => Html {
  return viewer.kind === "share" ? (_, name) => text(name) : link;
}

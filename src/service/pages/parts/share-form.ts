import { html } from "hono/html";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import type { Subject } from "../viewer.ts";
import { field } from "./field.ts";

/** Makes a link to what the page is about, for who may. Where it was refused, it stands open with what was typed. */
export function shareForm(
  { kind, place, name }: Subject,
  { may, form, to, kept }: Pick<PageRequest, "may" | "form" | "to" | "kept">,
): Html {
  if (!may("createShareLink")) return html``;
  return html`<details${kept("place") === "" ? "" : html` open`}><summary>${kind === "badge" ? "Make a badge for a README" : "Show this to somebody without an account"}</summary>${form(
    {
      action: to.page("links"),
      content: html`<input type="hidden" name="kind" value="${kind}"><input type="hidden" name="place" value="${place}">${name === undefined ? "" : html`<input type="hidden" name="name" value="${name}">`}
<p>Whoever has the link sees this and nothing else, and can change nothing.</p>
${field({ name: "until", label: "Until the end of the day", type: "date", value: kept("until"), isRequired: true })}
${field({ name: "for", label: "What it is for", value: kept("for") })}
<p><button type="submit">Make a link</button></p>`,
      label: kind === "badge" ? "Make a badge" : "Make a link",
    },
  )}</details>`;
}

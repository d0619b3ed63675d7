import { html } from "hono/html";
import { SHARED } from "../../../api/resources/share-links.ts";
import { Forbidden, Invalid } from "../../kernel/errors.ts";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import { definePage, type FormRequest, type Page, type PageRequest, type Redirect } from "../page.ts";
import { dayEnd } from "../parts/day.ts";
import { empty } from "../parts/empty.ts";
import { link } from "../parts/link.ts";
import { listed, pageNumberIn, ROWS } from "../parts/listed.ts";
import { ALREADY_SHOWN, shownOnce } from "../parts/secret.ts";
import { shareForm } from "../parts/share-form.ts";
import { table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { badge } from "../parts/verdict.ts";

type Link = AnsweredBy<"listShareLinks">["data"][number];

/** The links that show something to who has no account. */
export const linksPage = definePage({
  path: "/:org/links",
  audience: "accounts",
  async show(request) {
    const { ask, may, query, here, now } = request;
    if (!may("listShareLinks")) throw new Forbidden();
    const given = { page: pageNumberIn(query), perPage: ROWS };
    const { rows, pager } = listed(await ask("listShareLinks", given), request);
    const links = table<Link>({
      id: "links",
      caption: "Links, the latest first",
      columns: [
        {
          head: "Shows",
          cell: (each) => subjectLink(each, request),
          csv: ({ name, place }) => name ?? place,
        },
        { head: "Kind", cell: ({ kind }) => kind, csv: ({ kind }) => kind },
        {
          head: "State",
          cell: (each) => badge(stateOf(each, now), stateOf(each, now) === "WORKS" ? "ok" : "unknown"),
          csv: (each) => stateOf(each, now),
        },
        {
          head: "What it is for",
          cell: ({ description }) => text(description),
          csv: ({ description }) => description,
        },
        { head: "Made by", cell: ({ createdBy }) => text(createdBy), csv: ({ createdBy }) => createdBy },
        { head: "Ends", cell: ({ expiresAt }) => time(expiresAt), csv: ({ expiresAt }) => utc(expiresAt) },
        { head: "Revoke it", cell: (each) => revokeForm(each, request), csv: () => null, isForActs: true },
      ],
      rows,
      empty: empty("There is no link yet. The pages of trails, artifacts, environments and flows make one."),
      here,
    });
    return {
      title: "Links",
      main: html`<p>Each shows one thing to whoever has it, without an account, until it ends.</p>${refusedForm(request)}${links.html}${pager}`,
      tables: [links],
      json: { operation: "listShareLinks", given },
      howTo: {
        title: "Make a link on the command line",
        code: "delivery-evidence share trail FLOW TRAIL --until 2027-01-31",
      },
    };
  },
  async act(request) {
    const revoked = request.sent.get("revoke");
    if (revoked === null) return make(request);
    if (request.sent.get("confirm") !== "revoke") throw new Invalid("Type revoke to revoke the link");
    await request.ask("revokeShareLink", { linkId: revoked });
    return { redirect: request.to.page("links") };
  },
});

/** The form of another page that made no link. */
function refusedForm(request: PageRequest): Html {
  const { kept } = request;
  const kind = SHARED.find((each) => each === kept("kind"));
  const place = kept("place");
  if (kind === undefined || place === "") return html``;
  const name = kept("name");
  return html`<h2>The link that was not made</h2>
<p>It would show the ${kind} ${text(name || place)}.</p>
${shareForm({ kind, place, ...(name === "" ? {} : { name }) }, request)}`;
}

async function make(request: FormRequest): Promise<Page | Redirect> {
  const { ask, sent, to } = request;
  const kind = SHARED.find((each) => each === sent.get("kind"));
  const expiresAt = dayEnd(sent.get("until"));
  if (kind === undefined || expiresAt === undefined)
    throw new Invalid("Say what the link shows, and until when");
  const name = sent.get("name") || null;
  const body = { kind, place: sent.get("place") ?? "", name, description: sent.get("for") ?? "", expiresAt };
  const made = (await request.isFirst()) ? await ask("createShareLink", { body }) : undefined;
  return {
    title: "A new link",
    above: [{ name: "Links", href: to.page("links") }],
    main:
      made === undefined
        ? ALREADY_SHOWN
        : html`${shownOnce({ id: "link", label: `Shows the ${kind} ${name ?? body.place} until ${utc(made.expiresAt)}`, value: made.url })}`,
    isSecret: true,
  };
}

function stateOf({ revokedAt, expiresAt }: Link, now: number): string {
  if (revokedAt) return "REVOKED";
  return expiresAt > now ? "WORKS" : "ENDED";
}

function subjectLink({ kind, place, name }: Link, { to }: Pick<PageRequest, "to">): Html {
  switch (kind) {
    case "trail":
      return link(to.page("flows", place, "trails", name ?? ""), name ?? "");
    case "artifact":
      return link(to.page("flows", place, "artifacts", name ?? ""), name ?? "");
    case "environment":
      return link(to.page("environments", place), place);
    case "badge":
      return link(to.page("flows", place), place);
  }
}

function revokeForm(each: Link, { form, now }: Pick<PageRequest, "form" | "now">): Html {
  if (stateOf(each, now) !== "WORKS") return html``;
  return html`<details><summary>Revoke</summary>${form({
    content: html`<input type="hidden" name="revoke" value="${each.id}">
<p class="field"><label for="revoke-${each.id}">Type revoke to confirm</label><input id="revoke-${each.id}" name="confirm" type="text" autocomplete="off" required></p>
<p><button type="submit">Revoke it</button></p>`,
    label: "Revoke this link",
  })}</details>`;
}

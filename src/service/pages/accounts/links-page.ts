import { SHARED } from "../../../api/resources/share-links.ts";
import { Forbidden, Invalid } from "../../kernel/errors.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { definePage, type FormRequest, type Page, type PageRequest, type Redirect } from "../page.ts";
import { ALREADY_SHOWN, shownOnce } from "../parts/blocks.ts";
import { confirmation, foldedForm, requireConfirmation, shareForm } from "../parts/form.ts";
import { type Html, html, text } from "../parts/html.ts";
import { listed, pageNumberIn, ROWS } from "../parts/lists.ts";
import { badgeCell, linkCell, table, timeCell, wordCell } from "../parts/table.ts";
import { dayEnd, utc } from "../parts/time.ts";
import { subjectPath } from "../paths.ts";
import { invalidField } from "../refused-form.ts";

type Link = AnsweredBy<"listShareLinks">["data"][number];

export const linksPage = definePage({
  path: "/:org/links",
  audience: "accounts",
  async show(request) {
    const { call, may, query, to, now } = request;
    if (!may("listShareLinks")) throw new Forbidden();
    const given = { page: pageNumberIn(query), perPage: ROWS };
    const list = listed(await call("listShareLinks", given), request);
    const stateCell = (state: string) => badgeCell(state, state === "WORKS" ? "ok" : "unknown");
    const links = table<Link>(request, {
      id: "links",
      caption: "Share links, newest first",
      position: list.count,
      columns: {
        Shows: (each) => linkCell(subjectPath(each, to), each.name ?? each.place),
        Kind: ({ kind }) => wordCell(kind),
        State: (each) => stateCell(stateOf(each, now)),
        Purpose: ({ description }) => description,
        "Created by": ({ createdBy }) => createdBy,
        Expires: ({ expiresAt }) => timeCell(expiresAt),
        Revoke: { cell: (each) => revokeForm(each, request), isForForms: true },
      },
      rows: list.rows,
      empty: list.empty(
        "No share links yet. Create one on the page of a trail, an artifact, an environment or a flow.",
      ),
    });
    return {
      title: "Share links",
      main: html`<p>Anyone with a share link can see one page or badge without an account until the link expires.</p>${refusedForm(request)}${links.html}${list.pager}`,
      tables: [links],
      json: { operation: "listShareLinks", given },
      howTo: {
        title: "Create a share link on the command line",
        code: "delivery-evidence share trail FLOW TRAIL --until 2027-01-31",
      },
    };
  },
  async act(request) {
    const { sent, call, to } = request;
    const revoked = sent.get("revoke");
    if (revoked === null) return createLink(request);
    requireConfirmation(sent, "revoke", "Type revoke to revoke the link", `revoke-${revoked}`);
    await call("revokeShareLink", { linkId: revoked });
    return { redirect: to.page("links") };
  },
});

/** The refused form of another page, which created no link. */
function refusedForm(request: PageRequest): Html {
  const { entered } = request;
  const kind = SHARED.find((each) => each === entered("kind"));
  const place = entered("place");
  if (kind === undefined || place === "") return html``;
  const name = entered("name");
  return html`<h2>Link not created</h2>
<p>It was for the ${kind === "badge" ? "badge of the flow" : kind} ${text(name || place)}.</p>
${shareForm({ kind, place, ...(name === "" ? {} : { name }) }, request)}`;
}

async function createLink(request: FormRequest): Promise<Page | Redirect> {
  const { call, sent, to } = request;
  const kind = SHARED.find((each) => each === sent.get("kind"));
  if (kind === undefined) throw new Invalid("page.form_invalid", "Choose what the link shows");
  const expiresAt = dayEnd(sent, "until");
  if (expiresAt === undefined) throw invalidField("until", "Set the link's last day");
  const name = sent.get("name") || null;
  const body = { kind, place: sent.get("place") ?? "", name, description: sent.get("for") ?? "", expiresAt };
  const subject = kind === "badge" ? `badge of the flow ${body.place}` : `${kind} ${name ?? body.place}`;
  const made = (await request.isFirst()) ? await call("createShareLink", { body }) : undefined;
  return {
    title: "New share link",
    above: [["Share links", to.page("links")]],
    main:
      made === undefined
        ? ALREADY_SHOWN
        : shownOnce({
            id: "link",
            label: `Shows the ${subject} until ${utc(made.expiresAt)}`,
            value: made.url,
          }),
    isSecret: true,
  };
}

function stateOf({ revokedAt, expiresAt }: Link, now: number): string {
  if (revokedAt) return "REVOKED";
  return expiresAt > now ? "WORKS" : "ENDED";
}

function revokeForm(each: Link, request: PageRequest): Html {
  if (stateOf(each, request.now) !== "WORKS") return html``;
  const shape = {
    isOpen: request.entered("revoke") === each.id,
    content: html`<input type="hidden" name="revoke" value="${each.id}">
${confirmation("revoke", request, `revoke-${each.id}`)}`,
    isDangerous: true as const,
    button: "Revoke link",
    label: "Revoke this link",
  };
  return foldedForm("Revoke", shape, request);
}

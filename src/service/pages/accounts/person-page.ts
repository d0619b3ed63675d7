import { covers } from "../../kernel/access.ts";
import { isRole } from "../../kernel/caller.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { definePage, type FormRequest, type PageRequest } from "../page.ts";
import { facts } from "../parts/blocks.ts";
import { clientName } from "../parts/client-name.ts";
import { actionIn, checkbox, confirmation, foldedForm, requireConfirmation } from "../parts/form.ts";
import { type Html, html, text } from "../parts/html.ts";
import { scopeFields, scopeIn, scopeOf } from "../parts/scope.ts";
import { type Table, table, timeCell } from "../parts/table.ts";
import { time } from "../parts/time.ts";
import { sourceOf } from "./people-page.ts";
import { roleField, roleIn } from "./role-field.ts";

type Person = AnsweredBy<"getMember">;
type Identified = { readonly member: string };

const LATEST_ACTS = 10;

export const personPage = definePage({
  path: "/:org/people/:member",
  audience: "accounts",
  async show(request) {
    const { call, params, to } = request;
    const given = { memberId: params.member };
    const person = await call("getMember", given);
    const memberships = membershipTable(person, request);
    const sessions = sessionTable(person, request);
    const acts = await actTable(person, request);
    const canManage = isRole(person.privilege) && covers(request.viewer.caller.role, person.privilege);
    return {
      title: person.name,
      above: [["People", to.page("people")]],
      main: html`${facts([
        ["Email", person.email === null ? "" : text(person.email)],
        ["Role", text(person.privilege)],
        ["Scope", text(scopeOf(person))],
        ["Last seen", time(person.lastSeenAt)],
      ])}
<h2>Memberships</h2>
<p>The strongest role counts. To change a role that comes from groups or SCIM, change the groups at the provider.</p>
${memberships.html}
${canManage ? roleForms(person, request) : ""}
<h2>Sessions</h2>
${sessions.html}
${canManage && person.sessions.length > 0 ? request.form({ act: "end-sessions", content: html`<p>This also ends sessions in other organizations. The person can sign in again.</p>`, button: "End all sessions", isDangerous: true }) : ""}
${acts === undefined ? "" : html`<h2>Activity</h2>${acts.html}<p><a href="${to.page("audit-log")}?account=${encodeURIComponent(person.name)}">Everything in the audit log</a></p>`}`,
      tables: [memberships, sessions, ...(acts === undefined ? [] : [acts])],
      json: { operation: "getMember", given },
      howTo: {
        title: "Change the role on the command line",
        code: `npx delivery-evidence call putMember member_id=${person.id} --body '{ "privilege": "reader" }'`,
      },
    };
  },
  async act(request) {
    return { redirect: await actionIn(ACTIONS, request.sent)(request) };
  },
});

function membershipTable({ memberships }: Person, request: PageRequest<Identified>): Table {
  return table<Person["memberships"][number]>(request, {
    id: "memberships",
    caption: "Origin of the role",
    columns: {
      From: sourceOf,
      Role: ({ privilege }) => privilege,
      Scope: scopeOf,
      Since: ({ createdAt }) => timeCell(createdAt),
    },
    rows: memberships,
    empty: "No memberships.",
  });
}

function sessionTable({ sessions }: Person, request: PageRequest<Identified>): Table {
  return table<Person["sessions"][number]>(request, {
    id: "sessions",
    caption: "Active sessions",
    columns: {
      Client: ({ client, kind }) => ({
        html: text(client === null ? kind : clientName(client)),
        csv: client ?? kind,
      }),
      Address: ({ address }) => address ?? "unknown",
      Started: ({ createdAt }) => timeCell(createdAt),
      "Last seen": ({ lastSeenAt }) => timeCell(lastSeenAt),
      Expires: ({ expiresAt }) => timeCell(expiresAt),
    },
    rows: sessions,
    empty: "No active sessions.",
  });
}

async function actTable({ name }: Person, request: PageRequest<Identified>): Promise<Table | undefined> {
  const { call, may } = request;
  if (!may("listAuditLog")) return undefined;
  const { data } = await call("listAuditLog", { account: name, perPage: LATEST_ACTS });
  return table<(typeof data)[number]>(request, {
    id: "acts",
    caption: "Latest activity of this person",
    columns: {
      When: ({ createdAt }) => timeCell(createdAt),
      Act: ({ act }) => act,
      Resource: ({ resource }) => resource.name,
    },
    rows: data,
    empty: "No activity yet.",
  });
}

function roleForms(person: Person, request: PageRequest<Identified>): Html {
  const isEverywhere = !person.flows && !person.environments;
  const change = {
    act: "change",
    content: html`${roleField(person.privilege, request)}
${scopeFields(person, isEverywhere ? "all" : "named", request)}`,
    button: "Save",
    label: "Change the role",
  };
  const elsewhere = person.memberships.filter(({ source }) => source === "groups" || source === "scim");
  const end = {
    act: "end",
    content: html`${elsewhere.length === 0 ? html`<p>The person loses access to this organization at once.</p>` : elsewhereHtml(elsewhere, person.memberships.length, request)}
${confirmation(person.name, request)}`,
    isDangerous: true as const,
    button: "End access",
    label: "End the access",
  };
  return html`${foldedForm("Change role", change, request)}
${foldedForm("End access", end, request)}`;
}

/** Roles from groups and SCIM can only be ended until they are given again. */
function elsewhereHtml(
  memberships: Person["memberships"],
  total: number,
  { entered }: PageRequest<Identified>,
): Html {
  const sources = text(memberships.map(sourceOf).join(" and "));
  if (memberships.length === total)
    return html`<p>The access comes from ${sources}. It ends at once, with all sessions, but the next sign-in gives it again if the groups still match. To end it for good, change the groups at the provider.</p>
<input type="hidden" name="all" value="yes">`;
  return html`<p>This person also has access from ${sources}. To end that for good, change the groups at the provider.</p>
<p>${checkbox({
    name: "all",
    value: "yes",
    label: "Also end that access and all sessions, until the next sign-in",
    isChecked: entered("all") === "yes",
  })}</p>`;
}

/** Each returns the address of the next page. */
const ACTIONS: Readonly<Record<string, (request: FormRequest<Identified>) => Promise<string>>> = {
  async change({ call, params, sent, to }) {
    const body = { privilege: roleIn(sent), ...scopeIn(sent) };
    await call("putMember", { memberId: params.member, body });
    return to.page("people", params.member);
  },
  async end({ call, params, sent, to }) {
    const memberId = params.member;
    const { name } = await call("getMember", { memberId });
    requireConfirmation(sent, name, "Type the name of the person to end the access");
    const { memberships } = await call("removeMember", { memberId, all: sent.get("all") === "yes" });
    return memberships.length === 0 ? to.page("people") : to.page("people", memberId);
  },
  async "end-sessions"({ call, params, to }) {
    await call("endMemberSessions", { memberId: params.member });
    return to.page("people", params.member);
  },
};

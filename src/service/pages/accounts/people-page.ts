import type { AnsweredBy } from "../operation-calls.ts";
import { definePage, type FormRequest, type Page, type PageRequest, type Redirect } from "../page.ts";
import { ALREADY_SHOWN, empty, shownOnce } from "../parts/blocks.ts";
import { actionIn, confirmation, field, foldedForm, requireConfirmation } from "../parts/form.ts";
import { commaList, type Html, html, text } from "../parts/html.ts";
import { guideLink } from "../parts/links.ts";
import { scopeFields, scopeIn, scopeOf } from "../parts/scope.ts";
import { linkCell, type Table, table, timeCell } from "../parts/table.ts";
import { time } from "../parts/time.ts";
import { wholeList } from "../parts/whole-list.ts";
import { accountTabs } from "./account-tabs.ts";
import { roleField, roleIn } from "./role-field.ts";

export type Member = AnsweredBy<"listMembers">[number];
type ProvisionedUser = AnsweredBy<"listProvisionedUsers">[number];
type Invitation = AnsweredBy<"listInvitations">[number];

const HOW_TO = {
  title: "Invite a person on the command line",
  code: `npx delivery-evidence call createInvitation --body - <<'END'
{ "email": "zoe@example.com", "privilege": "member" }
END`,
};

export const peoplePage = definePage({
  path: "/:org/people",
  audience: "accounts",
  async show(request) {
    const { call, to } = request;
    const [members, provisioned, open] = await Promise.all([
      call("listMembers", {}),
      call("listProvisionedUsers", {}),
      call("listInvitations", {}),
    ]);
    const list = wholeList(
      members,
      {
        things: "people",
        texts: ({ name, email, privilege }) => [name, email, privilege],
        sorts: {
          name: ({ name }) => name,
          role: ({ privilege }) => privilege,
          seen: ({ lastSeenAt }) => lastSeenAt,
        },
      },
      request,
    );
    const by = list.sorting.by;
    const people = table<Member>(request, {
      id: "people",
      caption: "People",
      position: list.count,
      columns: {
        Name: { cell: ({ id, name }) => linkCell(to.page("people", id), name), sorted: by("name") },
        Email: ({ email }) => email,
        Role: { cell: ({ privilege }) => privilege, sorted: by("role") },
        Scope: scopeOf,
        From: ({ memberships }) => ({
          html: commaList(memberships.map((each) => text(sourceOf(each)))),
          csv: memberships.map(sourceOf).join(", "),
        }),
        "Last seen": { cell: ({ lastSeenAt }) => timeCell(lastSeenAt), sorted: by("seen") },
        Sessions: { cell: ({ sessionCount }) => sessionCount, isNumber: true },
      },
      rows: list.rows,
      empty: list.empty(empty("No one has signed in with a login provider yet.", HOW_TO)),
    });
    const awaited = provisionedTable(provisioned, request);
    const invitations = invitationTable(open, request);
    return {
      title: "People",
      main: html`${await accountTabs("people", request)}
<p>People sign in with a login provider. Their role comes from groups of the provider, from <a href="#invite">an invitation</a> or from a colleague. ${guideLink("people", "About people")}</p>
${list.bar}
${people.html}${list.pager}${provisioned.length === 0 ? "" : awaited.html}${open.length === 0 ? "" : invitations.html}
<h2 id="invite">Invite a person</h2>${request.form({
        act: "invite",
        content: html`${field({ name: "email", label: "Email", type: "email", isRequired: true }, request)}
${roleField("member", request)}
${scopeFields({}, "all", request)}`,
        button: "Create invitation",
        label: "Invite a person",
      })}`,
      tables: [people, awaited, invitations],
      json: { operation: "listMembers", given: {} },
      howTo: HOW_TO,
    };
  },
  act: (request) => actionIn(ACTIONS, request.sent)(request),
});

/** `groups of Acme`, `given by ada` */
export function sourceOf({ source, givenBy }: Member["memberships"][number]): string {
  switch (source) {
    case "groups":
      return `groups of ${givenBy}`;
    case "scim":
      return "SCIM";
    case "invitation":
      return `invited by ${givenBy}`;
    default:
      return `given by ${givenBy}`;
  }
}

function provisionedTable(users: readonly ProvisionedUser[], request: PageRequest): Table {
  return table<ProvisionedUser>(request, {
    id: "provisioned",
    caption: "Not signed in yet",
    columns: {
      Name: ({ name }) => name,
      "User name": ({ userName }) => userName,
      Email: ({ email }) => email,
      "Groups in SCIM": ({ groups }) => groups.join(", "),
      Provider: ({ provider }) => provider,
      Added: ({ createdAt }) => timeCell(createdAt),
    },
    rows: users,
    empty: "Every user of SCIM has signed in.",
  });
}

function invitationTable(open: readonly Invitation[], request: PageRequest): Table {
  return table<Invitation>(request, {
    id: "invitations",
    caption: "Open invitations",
    columns: {
      Email: ({ email }) => email,
      Role: ({ privilege }) => privilege,
      Scope: scopeOf,
      "Invited by": ({ createdBy }) => createdBy,
      Expires: ({ expiresAt }) => timeCell(expiresAt),
      Revoke: { cell: (each) => revokeForm(each, request), isForForms: true },
    },
    rows: open,
    empty: "No open invitations.",
  });
}

function revokeForm({ id, email }: Invitation, request: PageRequest): Html {
  const shape = {
    act: "revoke",
    isOpen: request.entered("invitation") === id,
    content: html`<input type="hidden" name="invitation" value="${id}">
<p>Its link stops working at once.</p>
${confirmation("revoke", request, `revoke-${id}`)}`,
    isDangerous: true as const,
    button: "Revoke invitation",
    label: `Revoke the invitation of ${email}`,
  };
  return foldedForm("Revoke", shape, request);
}

const ACTIONS: Readonly<Record<string, (request: FormRequest) => Promise<Page | Redirect>>> = {
  async invite(request) {
    const { call, sent } = request;
    const email = (sent.get("email") ?? "").trim();
    const body = { email, privilege: roleIn(sent), ...scopeIn(sent) };
    return linkPage(
      request,
      (await request.isFirst()) ? await call("createInvitation", { body }) : undefined,
    );
  },
  async revoke({ call, sent, to }) {
    const invitationId = sent.get("invitation") ?? "";
    requireConfirmation(sent, "revoke", "Type revoke to revoke the invitation", `revoke-${invitationId}`);
    await call("revokeInvitation", { invitationId });
    return { redirect: to.page("people") };
  },
};

function linkPage({ to }: PageRequest, made: AnsweredBy<"createInvitation"> | undefined): Page {
  return {
    title: "New invitation",
    above: [["People", to.page("people")]],
    main:
      made === undefined
        ? ALREADY_SHOWN
        : html`<p class="lead">Send this link to ${text(made.email)}. The service does not send it. It works once, until ${time(made.expiresAt)}, for a sign-in with this address.</p>
${shownOnce({ id: "link", label: `Invitation of ${made.email}`, value: made.url })}`,
    isSecret: true,
  };
}

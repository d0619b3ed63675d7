import type { MemberRecord } from "../../../api/resources/members.ts";
import { record } from "../../events/record.ts";
import { covers } from "../../kernel/access.ts";
import { type Caller, isRole } from "../../kernel/caller.ts";
import { Conflict, Forbidden } from "../../kernel/errors.ts";
import { scopeOf } from "../../kernel/scope.ts";
import { type Call, type Handler, requestContextOf } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { sessionsOf } from "../sessions.ts";
import { endAllMemberships, OWN_SOURCES, setOwnMembership } from "./memberships.ts";
import { endSessionsIn } from "./persons.ts";
import { membersOf, requireMember, type StoredMember } from "./records.ts";

export const listMembers: Handler<"listMembers"> = async ({ org }, { store, now }) => {
  const members = await store.readTogether((db) => membersOf(db, { orgId: org.id, now: now() }));
  return { status: 200, body: members.map(memberView) };
};

export const getMember: Handler<"getMember"> = async ({ org, params }, { store, now }) =>
  store.readTogether(async (db) => {
    const at = now();
    const member = await requireMember(db, { orgId: org.id, id: params.memberId, now: at });
    const sessions = await sessionsOf(
      db,
      { accountId: member.id, personId: member.personId, orgId: org.id },
      at,
    );
    const shown = sessions.map(({ id: _, ...session }) => session);
    return { status: 200, body: { ...memberView(member), sessions: shown } };
  });

export const putMember: Handler<"putMember"> = async (call, context) => {
  const { caller, body } = call;
  const { privilege: role } = body;
  requireCovered(caller, role);
  const member = await context.store.write(async (db) => {
    const by = requestContextOf(call, context);
    const existing = await memberToManage(db, call, by.now);
    const grant = { role, scope: scopeOf(body) };
    if (!(await setOwnMembership(db, by, personOf(existing), grant))) throw lastAdmin(existing);
    return requireMember(db, { orgId: by.orgId, id: existing.id, now: by.now });
  });
  return { status: 200, body: memberView(member) };
};

export const removeMember: Handler<"removeMember"> = async (call, context) => {
  const { all } = call.params;
  const left = await context.store.write(async (db) => {
    const by = requestContextOf(call, context);
    const member = await memberToManage(db, call, by.now);
    const person = personOf(member);
    const others = member.memberships.filter(({ source }) => !OWN_SOURCES.includes(source));
    if (!all && others.length === member.memberships.length) {
      throw new Conflict(
        "member.given_elsewhere",
        `${member.name} has access by ${namesOf(others)}: end it there`,
      );
    }
    const isEnded = all
      ? await endAllMemberships(db, by, person, "manual")
      : await setOwnMembership(db, by, person, undefined);
    if (!isEnded) throw lastAdmin(member);
    const isGone = all || others.length === 0;
    // An open session would work again after a later invitation.
    if (isGone) await endSessionsIn(db, { personId: person.id, orgId: by.orgId });
    return isGone ? [] : others;
  });
  return { status: 200, body: { memberships: left.map(membershipView) } };
};

export const endMemberSessions: Handler<"endMemberSessions"> = async (call, context) => {
  await context.store.write(async (db) => {
    const by = requestContextOf(call, context);
    const member = await memberToManage(db, call, by.now);
    await endSessionsIn(db, { personId: member.personId, orgId: by.orgId });
    await record(db, by, {
      type: "member.sessions_ended",
      subject: member,
      data: { details: { sessions: member.sessionCount } },
    });
  });
  return { status: 200, body: "OK" };
};

/** Refuses to give or take more rights than the caller has. @throws Forbidden */
export function requireCovered(caller: Pick<Caller, "role">, role: string): void {
  if (!isRole(role) || !covers(caller.role, role)) throw new Forbidden();
}

/** @throws NotFound, or Forbidden for a member with more rights than the caller */
async function memberToManage(
  db: Database,
  { org, caller, params }: Pick<Call<"putMember">, "org" | "caller" | "params">,
  now: number,
): Promise<StoredMember> {
  const member = await requireMember(db, { orgId: org.id, id: params.memberId, now });
  requireCovered(caller, member.role);
  return member;
}

function personOf({ personId, name, email }: StoredMember) {
  return { id: personId, name, email };
}

function lastAdmin({ name }: StoredMember): Conflict {
  return new Conflict(
    "member.last_admin",
    `${name} is the last admin: make another person or service account an admin first`,
  );
}

type Membership = StoredMember["memberships"][number];

/** `the groups of Acme and SCIM` */
function namesOf(memberships: readonly Membership[]): string {
  return memberships
    .map(({ source, givenBy }) => (source === "groups" ? `the groups of ${givenBy}` : "SCIM"))
    .join(" and ");
}

function membershipView({ source, provider, role, scope, givenBy, createdAt }: Membership) {
  return { source, provider: provider || null, privilege: role, ...scope, givenBy, createdAt };
}

function memberView(member: StoredMember): MemberRecord {
  const { id, name, email, role, scope, memberships, lastSeenAt, sessionCount } = member;
  return {
    ...{ id, name, email, privilege: role, ...scope },
    memberships: memberships.map(membershipView),
    ...{ lastSeenAt, sessionCount },
  };
}

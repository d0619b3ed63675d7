import type { InvitationRecord } from "../../../api/resources/members.ts";
import { isMailAddress } from "../../delivery/messages/mail-address.ts";
import { record, recordChange } from "../../events/record.ts";
import { invalidInput, NotFound } from "../../kernel/errors.ts";
import { scopeOf } from "../../kernel/scope.ts";
import { type Handler, requestContextOf } from "../../operation/handler.ts";
import { requireCovered } from "./handlers.ts";
import { type Invitation, insertInvitation, invitationsOf, withdrawInvitation } from "./invitations.ts";

/* The response contains the token, so it is not stored for repeats. A retried request makes another invitation. */

export const createInvitation: Handler<"createInvitation"> = async (call, context) => {
  const { caller, body } = call;
  const { email, privilege: role } = body;
  if (!isMailAddress(email)) throw invalidInput({ email: "Input should be an email address" });
  requireCovered(caller, role);
  const by = requestContextOf(call, context);
  const { token, ...made } = await context.store.write(async (db) => {
    const grant = { role, scope: scopeOf(body) };
    const invitation = await insertInvitation(db, by, { email, grant, accountId: caller.accountId });
    await recordChange(db, by, {
      type: "invitation.created",
      subject: { id: invitation.id, name: email },
      after: { email, privilege: role, ...invitation.scope, expires_at: invitation.expiresAt },
    });
    return invitation;
  });
  return { status: 201, body: { ...viewOf(made), url: context.links.invitation(token) } };
};

export const listInvitations: Handler<"listInvitations"> = async ({ org }, { store, now }) => {
  const open = await store.readTogether((db) => invitationsOf(db, org.id, now()));
  return { status: 200, body: open.map(viewOf) };
};

export const revokeInvitation: Handler<"revokeInvitation"> = async (call, context) => {
  const { caller, params } = call;
  await context.store.write(async (db) => {
    const by = requestContextOf(call, context);
    const open = await invitationsOf(db, by.orgId, by.now);
    const invitation = open.find(({ id }) => id === params.invitationId);
    if (invitation === undefined) throw new NotFound("invitation.not_found", "Invitation not found");
    const { id, email, role } = invitation;
    requireCovered(caller, role);
    await withdrawInvitation(db, id, by.now);
    await record(db, by, {
      type: "invitation.revoked",
      subject: { id, name: email },
      data: { details: { email, privilege: role } },
    });
  });
  return { status: 200, body: "revoked" };
};

function viewOf({ id, email, role, scope, createdBy, createdAt, expiresAt }: Invitation): InvitationRecord {
  return { id, email, privilege: role, ...scope, createdBy, createdAt, expiresAt };
}

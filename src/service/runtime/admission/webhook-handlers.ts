import { type AdmissionWebhookRecord, MAX_ADMISSION_WEBHOOKS } from "../../../api/resources/admission.ts";
import { record, recordChange } from "../../events/record.ts";
import { Conflict, Invalid, invalidInput, NotFound } from "../../kernel/errors.ts";
import { type Handler, requestContextOf } from "../../operation/handler.ts";
import { newId } from "../../store/ids.ts";
import { requireEnvironment } from "../environments/records.ts";
import { type AdmissionWebhook, admissionWebhooksOf, newAdmissionToken } from "./webhooks.ts";

/* The response to the creation contains the token, so it is not stored for repeats. */

export const createAdmissionWebhook: Handler<"createAdmissionWebhook"> = async (call, context) => {
  const { org, caller, body } = call;
  const { name, environmentName, mode, unpinned, expiresAt = null } = body;
  const requestContext = requestContextOf(call, context);
  const { now } = requestContext;
  if (expiresAt !== null && expiresAt <= now) {
    const problem = "must not be in the past";
    throw new Invalid("request.field_invalid", "expires_at cannot be in the past", { expires_at: problem });
  }
  const { token, token_hash } = newAdmissionToken();
  const made = await context.store.write(async (db) => {
    const environment = await requireEnvironment(db, org, environmentName);
    const known = await admissionWebhooksOf(db, org.id);
    if (known.some((other) => other.name === name))
      throw new Conflict(
        "resource.exists",
        `Admission webhook '${name}' already exists in organization '${org.name}'`,
      );
    if (known.length >= MAX_ADMISSION_WEBHOOKS)
      throw invalidInput({
        name: `An organization may have at most ${MAX_ADMISSION_WEBHOOKS} admission webhooks`,
      });
    const webhook: AdmissionWebhook = {
      ...{ id: newId(), org_id: org.id, environment_id: environment.id, name, token_hash, mode, unpinned },
      ...{ account_id: caller.accountId, api_key_id: caller.keyId },
      ...{ created_by: caller.accountName, created_at: now },
      ...{ expires_at: expiresAt, expiry_told_days: null, last_used_at: null },
    };
    await db.insertInto("admission_webhooks").values(webhook).execute();
    await recordChange(db, requestContext, {
      type: "admission_webhook.created",
      subject: { name, id: webhook.id },
      after: { environment: environment.name, mode, unpinned, expires_at: expiresAt },
    });
    return { ...webhook, environment_name: environment.name };
  });
  const url = context.links.api(["webhooks", "admission", token]);
  return { status: 201, body: { ...view(made), url } };
};

export const listAdmissionWebhooks: Handler<"listAdmissionWebhooks"> = async ({ org }, { store }) => {
  const webhooks = await admissionWebhooksOf(store.read, org.id);
  return { status: 200, body: webhooks.map(view) };
};

export const deleteAdmissionWebhook: Handler<"deleteAdmissionWebhook"> = async (call, context) => {
  const { org, params } = call;
  await context.store.write(async (db) => {
    const known = await admissionWebhooksOf(db, org.id);
    const webhook = known.find(({ name }) => name === params.webhookName);
    if (!webhook)
      throw new NotFound(
        "admission.webhook_not_found",
        `Admission webhook '${params.webhookName}' does not exist in organization '${org.name}'`,
      );
    await db.deleteFrom("admission_webhooks").where("id", "=", webhook.id).execute();
    await record(db, requestContextOf(call, context), {
      type: "admission_webhook.deleted",
      subject: { name: webhook.name, id: webhook.id },
      data: { details: { environment: webhook.environment_name } },
    });
  });
  return { status: 200, body: "OK" };
};

function view(webhook: AdmissionWebhook & { readonly environment_name: string }): AdmissionWebhookRecord {
  const { name, environment_name: environmentName, mode, unpinned } = webhook;
  return {
    ...{ name, environmentName, mode, unpinned },
    ...{ createdBy: webhook.created_by, createdAt: webhook.created_at },
    ...{ expiresAt: webhook.expires_at, lastUsedAt: webhook.last_used_at },
  };
}

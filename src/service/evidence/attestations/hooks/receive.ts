import { createHmac, timingSafeEqual } from "node:crypto";
import type { HookKind } from "../../../../api/resources/hooks.ts";
import type { RequestSource } from "../../../kernel/caller.ts";
import { invalidInput, Unproven } from "../../../kernel/errors.ts";
import { decodeUtf8, parseJson } from "../../../kernel/json-text.ts";
import { unstorableTexts } from "../../../kernel/storable-text.ts";
import { ofOrganization, type ServiceContext } from "../../../operation/context.ts";
import { requestHash } from "../../../operation/idempotency.ts";
import { recordFlagChanges } from "./launch-darkly.ts";
import { requireHook } from "./records.ts";
import { recordAnalysis } from "./sonar.ts";

interface SentWebhook {
  readonly kind: HookKind;
  /** ID of the hook, from the address. */
  readonly id: string;
  /** The body as it was sent. */
  readonly bytes: Uint8Array;
  readonly signature: string | undefined;
}

/** Records a webhook. Returns what it did. @throws NotFound, Unproven or Invalid */
export async function receiveWebhook(
  { kind, id, bytes, signature }: SentWebhook,
  source: RequestSource,
  context: ServiceContext,
): Promise<string> {
  const { hook, org } = await requireHook(context.store.read, { id, kind });
  const secret = context.secrets.open(hook.id, hook.secret);
  if (!isSigned(bytes, { secret, signature })) {
    throw new Unproven(
      "hook.signature_invalid",
      "The signature does not match the body and the hook's secret",
    );
  }
  const content = parseJson(decodeUtf8(bytes, "body"), "body");
  const unstorable = unstorableTexts(content);
  if (unstorable.count > 0) throw invalidInput(unstorable.errors);
  const sent = { hook, org, source, context: ofOrganization(context, org) };
  if (kind === "launch-darkly") return recordFlagChanges(content, sent);
  return recordAnalysis(content, sent, requestHash([Buffer.from(bytes).toString("base64")]));
}

function isSigned(
  bytes: Uint8Array,
  { secret, signature = "" }: { secret: string; signature: string | undefined },
): boolean {
  const expected = Buffer.from(createHmac("sha256", secret).update(bytes).digest("hex"));
  const given = Buffer.from(signature.toLowerCase());
  return given.length === expected.length && timingSafeEqual(given, expected);
}

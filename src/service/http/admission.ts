import { operations } from "../../api/resources/operations.ts";
import { toWire } from "../../api/wire-names.ts";
import { ofOrganization } from "../operation/context.ts";
import { findAdmissionWebhook } from "../runtime/admission/webhooks.ts";
import { type Answer, HttpError } from "./error-answer.ts";
import { receive } from "./receive.ts";
import { refuseRepeatedHeaders } from "./request-head.ts";
import type { RoutedRequest, Served } from "./serve-operation.ts";

/** Below the base path. */
export const ADMISSION_PATH = "/webhooks/admission/:token";

const operation = operations.reviewAdmission;

/**
 * Serves the operation `reviewAdmission` to an API server, which takes no header and no query parameters for a webhook.
 * The token in the path selects the environment and the settings.
 */
export async function serveAdmission(request: RoutedRequest, served: Served): Promise<Answer> {
  const { context, handlers, admission } = served;
  const now = context.now();
  refuseRepeatedHeaders(request.incoming);
  const { webhook } = await admission.rateLimits.admit(request.incoming, async () => {
    const found = await findAdmissionWebhook(context.store.read, request.pathParams["token"] ?? "", now);
    if (found === "unknown")
      throw new HttpError(
        401,
        "admission.token_unknown",
        "Unauthorized: no admission webhook has this address",
      );
    if (found === "expired")
      throw new HttpError(
        401,
        "admission.token_expired",
        "Unauthorized: the admission webhook of this address has expired",
      );
    return { webhook: found, caller: { keyId: found.id } };
  });
  admission.keyUse.noteWebhook({ id: webhook.id, orgId: webhook.org.id }, now);
  const { org, caller, environmentName, mode, unpinned } = webhook;
  request.identified(caller);
  const reception = context.attachments.receive();
  const room = admission.bodyMemory.roomFor(org.id, webhook.id);
  try {
    const query = new URLSearchParams({ mode, unpinned }).toString();
    const admitted = {
      ...{ ...request, target: { ...request.target, query }, org, caller },
      pathParams: { env_name: environmentName },
    };
    const call = await receive(operation, admitted, {
      room,
      inTurn: (work) => context.longWork.do(org.id, work),
      newPath: reception.newPath,
    });
    const { status, body } = await handlers.reviewAdmission(call, ofOrganization(context, org));
    return { status, headers: {}, body: JSON.stringify(toWire(operation.responses[status], body)) };
  } finally {
    await reception.discard().finally(room.release);
  }
}

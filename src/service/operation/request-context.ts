import type { ActContext } from "../kernel/request-context.ts";
import type { ServiceContext } from "./context.ts";
import type { Sender } from "./handler.ts";

/** Who makes this call, where, from where and when. */
export function requestContextOf(
  { org, caller, source }: Sender,
  { now }: Pick<ServiceContext, "now">,
): ActContext {
  const { accountName, keyId, workflow, scope, spooledBy } = caller;
  const isScoped = scope !== null;
  return {
    orgId: org.id,
    accountName,
    keyId,
    isScoped,
    ...(workflow && { workflow }),
    ...(spooledBy !== undefined && { spooledBy }),
    ...source,
    now: now(),
  };
}

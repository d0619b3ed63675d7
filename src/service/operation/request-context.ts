import type { OperationShape } from "../../api/operation.ts";
import type { RequestContext } from "../kernel/request-context.ts";
import type { ServiceContext } from "./context.ts";
import type { Call } from "./handler.ts";

/** Who makes this call, where and when. */
export function requestContextOf(
  { org, caller }: Pick<Call<OperationShape>, "org" | "caller">,
  { now }: ServiceContext,
): RequestContext {
  return { orgId: org.id, accountName: caller.accountName, now: now() };
}

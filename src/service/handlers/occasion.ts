import type { OperationShape } from "../../api/operation.ts";
import type { ServiceContext } from "../context.ts";
import type { Call } from "../http/handler.ts";
import type { Occasion } from "../records/occasion.ts";

/** Who makes this call, where and when. */
export function occasionOf(
  { org, caller }: Pick<Call<OperationShape>, "org" | "caller">,
  { now }: ServiceContext,
): Occasion {
  return { orgId: org.id, accountName: caller.accountName, now: now() };
}

import type { OperationShape } from "../../api/operation.ts";
import type { Occasion } from "../kernel/request-context.ts";
import type { ServiceContext } from "./context.ts";
import type { Call } from "./handler.ts";

/** Who makes this call, where and when. */
export function occasionOf(
  { org, caller }: Pick<Call<OperationShape>, "org" | "caller">,
  { now }: ServiceContext,
): Occasion {
  return { orgId: org.id, accountName: caller.accountName, now: now() };
}

import type { OperationShape } from "../../api/operation.ts";
import type { RequestTarget } from "./request-head.ts";

/** Headers have little room: of more names than fit, the first are told. */
const MAX_LENGTH = 1_000;
const MORE = "...";

/**
 * The header that names what of a query the operation does not know and so ignores, each name percent-encoded, in the
 * order sent. Clients of other versions send such parameters; a filter that had no effect should not go unnoticed.
 */
export function ignoredParameters(
  declared: OperationShape["query"],
  target: Pick<RequestTarget, "query">,
): Record<string, string> {
  if (target.query === "") return {};
  const known = declared?._zod.def.shape ?? {};
  const given = new Set(new URLSearchParams(target.query).keys());
  const ignored = [...given].filter((name) => name !== "" && !Object.hasOwn(known, name));
  return ignored.length === 0 ? {} : { "x-ignored-parameters": listed(ignored.map(encodeURIComponent)) };
}

function listed(names: readonly string[]): string {
  let text = "";
  for (const name of names) {
    const longer = text === "" ? name : `${text}, ${name}`;
    if (longer.length > MAX_LENGTH) return text === "" ? MORE : `${text}, ${MORE}`;
    text = longer;
  }
  return text;
}

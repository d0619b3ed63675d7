import { Invalid } from "../kernel/errors.ts";

/**
 * What a form asks for, of what the page can do: it says so in its field `act`.
 *
 * @throws Invalid
 */
export function actIn<Act>(acts: Readonly<Record<string, Act>>, sent: URLSearchParams): Act {
  const name = sent.get("act") ?? "";
  // Every object has members that nobody gave it, such as `constructor`.
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (act === undefined) throw new Invalid("The form says nothing that can be done");
  return act;
}

import { invalidInput } from "../../kernel/errors.ts";
import { DAY, ordered, type Window } from "../../kernel/window.ts";
import { parseMoment } from "../snapshots/interval.ts";

/** The window of `from` and `to` as texts. @param days length without `from` @throws Invalid */
export function windowOfTexts(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  { now, days }: { now: number; days: number },
): Window {
  const until = momentOf("to", to) ?? now;
  return ordered({ from: momentOf("from", from) ?? until - days * DAY, until }, ["from", "to"]);
}

/** Unix seconds. An empty text counts as absent. @throws Invalid */
export function momentOf(field: string, text: string | undefined): number | undefined {
  if (!text) return undefined;
  const moment = parseMoment(text);
  if (moment === undefined) {
    throw invalidInput({
      [`query.${field}`]: `Input should be Unix seconds or an ISO 8601 date and time [input: ${text.slice(0, 100)}]`,
    });
  }
  return moment;
}

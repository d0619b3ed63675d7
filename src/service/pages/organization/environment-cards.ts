import { stripsOf } from "../environments/day-strips.ts";
import { worstReason } from "../environments/environment-state.ts";
import { type AnsweredBy, ifFound } from "../operation-calls.ts";
import type { PageRequest } from "../page.ts";
import type { Day } from "../parts/charts.ts";
import { type Html, html, link } from "../parts/html.ts";
import { card } from "../parts/tiles.ts";
import { shortTime } from "../parts/time.ts";
import { complianceVerdict } from "../parts/verdict.ts";

export type ListedEnvironment = Extract<
  AnsweredBy<"listEnvironments">,
  { environments: unknown }
>["environments"][number];

const DAYS = 30;
/** Artifacts among which the worst reason is searched. */
const READ = 100;

/** A card for each environment: its result, the worst reason, and the last 30 days. */
export async function environmentCards(
  environments: readonly ListedEnvironment[],
  request: PageRequest,
): Promise<Html> {
  if (environments.length === 0) return html``;
  const strips = await stripsOf(environments, DAYS, request);
  const cards = await Promise.all(
    environments.map(async (environment) => {
      const { name, state, lastChangedAt } = environment;
      const reason = state === false ? await reasonIn(name, request) : undefined;
      return card({
        result: complianceVerdict(state),
        name: link(request.to.page("environments", name), name),
        note: reason ?? html`Last change: ${shortTime(lastChangedAt)}`,
        days: withoutLinks(strips.get(name)),
        about: `${name}, the last ${DAYS} days`,
      });
    }),
  );
  return html`<h2>Environments</h2>
<ul class="cards">${cards}</ul>`;
}

async function reasonIn(envName: string, request: PageRequest): Promise<Html | undefined> {
  const given = { envName, snapshotExpression: "-1", page: 1, perPage: READ };
  const latest = await ifFound(request.call("getSnapshot", given));
  return latest && worstReason(latest.artifacts, request);
}

/** Links would be too many steps for the keyboard. */
function withoutLinks(days: readonly Day[] = []): Day[] {
  return days.map(({ href: _, ...day }) => day);
}

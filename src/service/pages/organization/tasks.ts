import { covers } from "../../kernel/access.ts";
import { expiresSoon } from "../accounts/expiry-state.ts";
import { isStale } from "../environments/environment-state.ts";
import { ruleState } from "../notifications/rule-state.ts";
import type { PageRequest } from "../page.ts";
import { firstLine, type Html, html, link, shortName, text } from "../parts/html.ts";
import { shortTime } from "../parts/time.ts";
import type { ListedEnvironment } from "./environment-cards.ts";

/** Maximum number of sentences. */
const MAX = 7;
/** Maximum number of trails among them. */
const TRAILS = 3;
const ACCOUNTS = 100;

/** Sentences about what the viewer may and should do, the most urgent first. Undefined for viewers who only read. */
export async function tasksOf(
  environments: readonly ListedEnvironment[],
  request: PageRequest,
): Promise<readonly Html[] | undefined> {
  const { to, now, may, viewer } = request;
  const { kind, caller } = viewer;
  // Auditors have all rights that change nothing.
  if (kind !== "account" || covers("auditor", caller.role)) return undefined;
  const page = (name: string) => link(to.page("environments", name), name);
  const failing = environments.filter(
    ({ state, name }) => state === false && may("allowArtifact", { envName: name }),
  );
  const stale = environments.filter((each) => isStale(each, now) && may("reportK8S", { envName: each.name }));
  const others = await Promise.all([
    failingTrails(request),
    failingRules(request),
    expiringKeys(request),
    expiringTokens(request),
    expiringWebhooks(request),
  ]);
  return [
    ...failing.map(({ name }) => html`Fix ${page(name)}: it runs artifacts that its policies refuse.`),
    ...stale.map(
      ({ name, lastReportedAt }) =>
        html`Check the reports of ${page(name)}: last one ${shortTime(lastReportedAt)}.`,
    ),
    ...others.flat(),
  ].slice(0, MAX);
}

async function failingTrails({ call, may, to }: PageRequest): Promise<readonly Html[]> {
  const { data } = await call("listTrails", {
    complianceState: "NON-COMPLIANT",
    perPage: TRAILS,
    count: false,
  });
  const own = data.filter(({ name, flow }) => may("attestGeneric", { flowName: flow.name, trailName: name }));
  return own.map(({ name, flow, gitCommitInfo: commit }) => {
    const title = firstLine(commit?.message) || shortName(name);
    return html`Look at ${link(to.page("flows", flow.name, "trails", name), title)} of ${text(flow.name)}: it is not compliant.`;
  });
}

async function failingRules({ call, may, now, to }: PageRequest): Promise<readonly Html[]> {
  if (!may("enableTargets")) return [];
  const rules = await call("listActions", {});
  return rules
    .filter((rule) => ruleState(rule, now) === "failing")
    .map(
      ({ name, number, lastFailureTimestamp: at }) =>
        html`Repair the notification rule ${link(to.page("actions", number), name)}: it last failed ${shortTime(at)}.`,
    );
}

async function expiringKeys({ call, may, to, now }: PageRequest): Promise<readonly Html[]> {
  const accounts = may("listServiceAccounts") ? await call("listServiceAccounts", {}) : [];
  const managed = accounts.filter(({ name }) => may("createApiKey", { name }));
  const keys = await Promise.all(
    managed.slice(0, ACCOUNTS).map(async ({ name }) => {
      const listed = await call("listApiKeys", { name });
      return listed.map((key) => ({ ...key, account: name }));
    }),
  );
  return keys
    .flat()
    .filter(({ expiresAt }) => expiresSoon(expiresAt, now))
    .map(
      ({ account, description, expiresAt }) =>
        html`Replace the key ${text(description)} of ${link(to.page("accounts", account), account)}: it expires ${shortTime(expiresAt)}.`,
    );
}

async function expiringTokens({ call, may, to, now }: PageRequest): Promise<readonly Html[]> {
  const tokens = may("listScimTokens") ? await call("listScimTokens", {}) : [];
  return tokens
    .filter(({ expiresAt }) => expiresSoon(expiresAt, now))
    .map(
      ({ description, expiresAt }) =>
        html`Replace the ${link(to.page("scim-tokens"), "SCIM token")} ${text(description)}: it expires ${shortTime(expiresAt)}.`,
    );
}

async function expiringWebhooks({ call, may, to, now }: PageRequest): Promise<readonly Html[]> {
  const webhooks = may("listAdmissionWebhooks") ? await call("listAdmissionWebhooks", {}) : [];
  return webhooks
    .filter(({ expiresAt }) => expiresSoon(expiresAt, now))
    .map(
      ({ name, expiresAt }) =>
        html`Replace the ${link(to.page("admission-webhooks"), "admission webhook")} ${text(name)}: it expires ${shortTime(expiresAt)}.`,
    );
}

import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import type { Deployment } from "../../../api/resources/deployments.ts";
import { Invalid } from "../../kernel/errors.ts";
import type { AnsweredBy, GivenTo } from "../operation-calls.ts";
import type { PageRequest } from "../page.ts";
import { lastMoment, type Period } from "../parts/period.ts";
import { personName } from "../parts/records.ts";

/** Maximum number of deployments in a report. */
const MAX_DEPLOYMENTS = 5_000;
/** Maximum of the operation. */
const PER_PAGE = 50;
/** Maximum number of overrides in a report. */
const MAX_OVERRIDES = 5_000;
const OVERRIDES_PER_PAGE = 100;

export interface Subject {
  /** Empty for all. */
  readonly env: string;
  readonly flow: string;
}

/** All deployments of the period, newest first. @throws Invalid if there are too many */
export async function deploymentsIn(
  { env, flow }: Subject,
  { start, end }: Period,
  { call }: PageRequest,
): Promise<readonly Deployment[]> {
  const given: GivenTo<"listDeployments"> = {
    ...(env === "" ? {} : { envName: [env] }),
    ...(flow === "" ? {} : { flow: [flow] }),
    perPage: PER_PAGE,
  };
  const last = lastMoment(end);
  const { totalCount } = await call("listDeployments", { ...given, startTs: start, endTs: last, perPage: 0 });
  if (totalCount > MAX_DEPLOYMENTS) {
    throw new Invalid(
      "page.form_invalid",
      `The period has ${totalCount} deployments, but a report has at most ${MAX_DEPLOYMENTS}: choose a shorter period`,
    );
  }
  // Each page of a long period would read the whole period. The parts share their limits, so some are found twice.
  const parts = Math.ceil(totalCount / PER_PAGE);
  const limit = (part: number) => start + ((last - start) * part) / parts;
  const all = new Map<string, Deployment>();
  for (let part = parts; part > 0; part--) {
    const within = { ...given, startTs: limit(part - 1), endTs: limit(part) };
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { deployments, totalPages } = await call("listDeployments", { ...within, page });
      for (const each of deployments) all.set(each.id, each);
      pages = totalPages;
    }
  }
  return [...all.values()];
}

/** Overrides of the period, newest first. @throws Invalid if there are too many */
export async function overridesIn(
  { flow }: Pick<Subject, "flow">,
  { start, end }: Period,
  { call }: PageRequest,
): Promise<readonly AttestationRecord[]> {
  const given: GivenTo<"listAttestations"> = {
    ...(flow === "" ? {} : { flow: [flow] }),
    type: ["override"],
    fromTimestamp: Math.floor(start),
    toTimestamp: Math.ceil(end),
    perPage: OVERRIDES_PER_PAGE,
  };
  const all: AttestationRecord[] = [];
  let after: string | undefined;
  do {
    const { data, _links } = await call("listAttestations", { ...given, ...(after ? { after } : {}) });
    all.push(...data);
    after = _links?.next?.after ?? undefined;
    if (all.length > MAX_OVERRIDES) {
      throw new Invalid(
        "page.form_invalid",
        `The period has more than ${MAX_OVERRIDES} overrides, which is the most in a report: choose a shorter period`,
      );
    }
  } while (after !== undefined);
  return all;
}

type Allowed = AnsweredBy<"listAllowlists">[number];

/** Entries of allowlists that were made in the period. */
export async function allowedIn(
  { env }: Pick<Subject, "env">,
  { start, end }: Period,
  { call, may }: PageRequest,
): Promise<readonly Allowed[]> {
  if (!may("listAllowlists")) return [];
  const all = await call("listAllowlists", {});
  return all.filter(
    ({ timestamp, environmentName }) =>
      timestamp >= start && timestamp < end && (env === "" || environmentName === env),
  );
}

/** Whether an approver has the name of the commit's author. */
export function isApprovedByAuthor({ approvedBy, gitCommitInfo }: Deployment): boolean {
  const author = gitCommitInfo?.["author"];
  if (typeof author !== "string") return false;
  const [, mailbox = ""] = /<(?:\d+\+)?([^@<>]+)@/.exec(author) ?? [];
  const names = [personName(author), mailbox].map((name) => name.toLowerCase()).filter(Boolean);
  return approvedBy.some((name) => names.includes(personName(name).toLowerCase()));
}

import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import type { Deployment } from "../../../api/resources/deployments.ts";
import { Invalid } from "../../kernel/errors.ts";
import type { AnsweredBy, GivenTo } from "../operation-calls.ts";
import type { PageRequest } from "../page.ts";
import { lastMoment, type Period } from "../parts/period.ts";

/** Maximum number of deployments in a report. */
const MAX_DEPLOYMENTS = 5_000;
/** Maximum of the operation, and of the rows of a table that is not a file. */
const PER_PAGE = 50;
/** Maximum number of overrides in a report. */
const MAX_OVERRIDES = 5_000;
const OVERRIDES_PER_PAGE = 100;

export interface Subject {
  /** Empty for all. */
  readonly env: string;
  readonly flow: string;
}

type Given = GivenTo<"listDeployments">;

export interface Listed {
  readonly rows: readonly Deployment[];
  /** Number of deployments, which may be more than the rows. */
  readonly total: number;
}

/** The deployments of a period. Lists are newest first. */
export interface Population {
  readonly total: number;
  /** All that match for a file, and the first of them for a page. */
  matching(filter: Pick<Given, "review" | "approval" | "complianceState">): Promise<Listed>;
  sample(size: number, seed: number): Promise<Listed>;
}

/** @throws Invalid if the period has too many deployments */
export async function populationOf(
  { env, flow }: Subject,
  { start, end }: Period,
  { call, query }: PageRequest,
): Promise<Population> {
  const last = lastMoment(end);
  const given = {
    ...(env === "" ? {} : { envName: [env] }),
    ...(flow === "" ? {} : { flow: [flow] }),
    perPage: PER_PAGE,
  };
  const whole = { startTs: start, endTs: last };
  const { totalCount: total } = await call("listDeployments", { ...given, ...whole, perPage: 0 });
  if (total > MAX_DEPLOYMENTS) {
    throw new Invalid(
      "page.form_invalid",
      `The period has ${total} deployments, but a report has at most ${MAX_DEPLOYMENTS}: choose a shorter period`,
    );
  }
  const pagesOf = async (filter: Given, most = Number.POSITIVE_INFINITY): Promise<Listed> => {
    const rows: Deployment[] = [];
    for (let page = 1; ; page++) {
      const answer = await call("listDeployments", { ...given, ...filter, page });
      rows.push(...answer.deployments);
      if (page >= answer.totalPages || rows.length >= most) return { rows, total: answer.totalCount };
    }
  };
  // Each page of a long period would read the whole period. The parts share their limits, so some are found twice.
  const inParts = async (filter: Given): Promise<Listed> => {
    const parts = Math.ceil(total / PER_PAGE);
    const limit = (part: number) => start + ((last - start) * part) / parts;
    const all = new Map<string, Deployment>();
    for (let part = parts; part > 0; part--) {
      const { rows } = await pagesOf({ ...filter, startTs: limit(part - 1), endTs: limit(part) });
      for (const each of rows) all.set(each.id, each);
    }
    return { rows: [...all.values()], total: all.size };
  };
  return {
    total,
    matching: (filter) =>
      query.has("format") ? inParts(filter) : pagesOf({ ...filter, ...whole }, PER_PAGE),
    sample: (sample, seed) => pagesOf({ ...whole, sample, seed }),
  };
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

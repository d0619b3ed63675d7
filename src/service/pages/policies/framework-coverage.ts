import { type ControlPack, type Requirement, requirementsOf } from "../../evidence/controls/packs.ts";
import type { PageRequest } from "../page.ts";

/** Period of the decisions that count, in days. */
export const DAYS = 365;
/** Maximum number of controls in a request for trends. */
const AT_ONCE = 50;
/** Maximum of a page of controls. */
const PER_PAGE = 100;
/** Maximum number of requests for controls. */
const MAX_PAGES = 10;

interface Decisions {
  readonly compliant: number;
  readonly nonCompliant: number;
}

export interface CoveredRequirement extends Requirement, Decisions {
  /** Identifiers of the controls of the organization that answer it. */
  readonly controls: readonly string[];
}

export interface FrameworkCoverage {
  readonly pack: ControlPack;
  readonly requirements: readonly CoveredRequirement[];
  /** Number of requirements with at least one compliant decision. */
  readonly covered: number;
}

/** Counts the decisions of the period about the controls that answer each requirement. */
export async function coverageOf(
  packs: readonly ControlPack[],
  request: PageRequest,
): Promise<readonly FrameworkCoverage[]> {
  const frameworks = packs.map((pack) => ({ pack, requirements: requirementsOf(pack) }));
  const answering = new Set(
    frameworks.flatMap(({ requirements }) => requirements.flatMap(({ answeredBy }) => answeredBy)),
  );
  const decisions = await decisionsAbout(answering, request);
  return frameworks.map(({ pack, requirements }) => {
    const counted = requirements.map((requirement): CoveredRequirement => {
      const controls = requirement.answeredBy.filter((identifier) => decisions.has(identifier));
      const sum = (figure: keyof Decisions) =>
        controls.reduce((total, identifier) => total + (decisions.get(identifier)?.[figure] ?? 0), 0);
      return { ...requirement, controls, compliant: sum("compliant"), nonCompliant: sum("nonCompliant") };
    });
    return {
      pack,
      requirements: counted,
      covered: counted.filter(({ compliant }) => compliant > 0).length,
    };
  });
}

/** The decisions about each of these controls that the organization has. */
async function decisionsAbout(
  identifiers: ReadonlySet<string>,
  { call, may, now }: PageRequest,
): Promise<Map<string, Decisions>> {
  const found = new Map<string, Decisions>();
  if (!may("listControls") || !may("getTrends")) return found;
  const existing: string[] = [];
  for (let page = 1, pages = 1; page <= Math.min(pages, MAX_PAGES); page++) {
    const { controls, totalPages } = await call("listControls", { page, perPage: PER_PAGE });
    pages = totalPages;
    existing.push(...controls.map(({ identifier }) => identifier).filter((each) => identifiers.has(each)));
  }
  const time = { from: String(now - DAYS * 24 * 60 * 60), to: String(now), bucket: "month" } as const;
  for (let start = 0; start < existing.length; start += AT_ONCE) {
    const control = existing.slice(start, start + AT_ONCE);
    const { series } = await call("getTrends", { control, figures: ["decisions"], ...time });
    for (const { scope, buckets } of series) {
      if (scope.type !== "control") continue;
      const sum = (figure: keyof Decisions) =>
        buckets.reduce((total, { decisions }) => total + (decisions?.[figure] ?? 0), 0);
      found.set(scope.name, { compliant: sum("compliant"), nonCompliant: sum("nonCompliant") });
    }
  }
  return found;
}

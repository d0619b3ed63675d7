import { invalidInput } from "../../kernel/errors.ts";
import type { Slice } from "../../kernel/paging.ts";
import type { Call } from "../../operation/handler.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { buildsOf } from "../running/builds.ts";
import {
  type Deployment,
  type DeploymentFilter,
  type DeploymentPlace,
  deploymentsOf,
  newestPlaces,
} from "../running/deployments.ts";
import { approversOfDeployments, areByAuthor, reviewsOf } from "../running/reviews.ts";
import { sampleOf } from "./sample.ts";

/** Maximum number of deployments among which is chosen. */
const MAX = 5_000;

type Choice = Pick<Call<"listDeployments">["params"], "review" | "approval" | "sample" | "seed">;

interface Chosen extends Choice {
  environments: readonly Pick<Tables["environments"], "id" | "name">[];
  slice: Slice;
}

/** A page of the deployments with what no index has: their review and approval, or a sample of them. @throws Invalid */
export async function chosenDeployments(
  db: Database,
  filter: DeploymentFilter,
  { environments, slice: { offset, limit }, ...choice }: Chosen,
): Promise<{ total: number; deployments: Deployment[] }> {
  const { review, approval, sample, seed } = choice;
  const all = await newestPlaces(db, filter, MAX);
  if (all === undefined) throw tooMany(choice);
  const reviewed = review === undefined ? all : await withReview(db, all, { orgId: filter.orgId, review });
  const approved =
    approval === undefined
      ? reviewed
      : await withApproval(db, reviewed, { orgId: filter.orgId, approval, environments });
  const chosen = sample === undefined ? approved : sampleOf(approved, sample, seed);
  const ids = chosen.slice(offset, offset + limit).map(({ id }) => id);
  return { total: chosen.length, deployments: ids.length === 0 ? [] : await deploymentsOf(db, ids) };
}

function tooMany({ review, approval }: Choice) {
  const field = review ? "review" : approval ? "approval" : "sample";
  const most = MAX.toLocaleString("en");
  return invalidInput({
    [`query.${field}`]: `More than ${most} deployments match the other filters. Choose a shorter time or fewer environments`,
  });
}

async function withReview(
  db: Database,
  all: readonly DeploymentPlace[],
  { orgId, review }: { orgId: string; review: NonNullable<Choice["review"]> },
): Promise<readonly DeploymentPlace[]> {
  const reviews = await reviewsOf(db, all, await buildsIn(db, orgId, all), orgId);
  return all.filter(({ id }) => reviews.get(id)?.review === review);
}

async function withApproval(
  db: Database,
  all: readonly DeploymentPlace[],
  {
    orgId,
    approval,
    environments,
  }: { orgId: string; approval: NonNullable<Choice["approval"]> } & Pick<Chosen, "environments">,
): Promise<readonly DeploymentPlace[]> {
  const environmentNames = new Map(environments.map(({ id, name }) => [id, name]));
  const approvers = await approversOfDeployments(db, all, { orgId, environmentNames });
  if (approval === "unapproved") return all.filter(({ id }) => !approvers.has(id));
  const approved = all.filter(({ id }) => approvers.has(id));
  if (approval === "approved") return approved;
  const builds = await buildsIn(db, orgId, approved);
  return approved.filter(({ id, fingerprint }) =>
    areByAuthor(approvers.get(id) ?? [], builds.get(fingerprint)),
  );
}

function buildsIn(db: Database, orgId: string, places: readonly DeploymentPlace[]) {
  return buildsOf(
    db,
    orgId,
    places.map(({ fingerprint }) => fingerprint),
  );
}

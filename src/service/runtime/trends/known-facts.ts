import type { Window } from "../../kernel/window.ts";
import type { Database } from "../../store/tables.ts";
import { boundedDeployments } from "../deployments/series.ts";
import { type FactsOf, factsOf } from "./deployment-facts.ts";
import type { DeploymentFacts } from "./deployment-figures.ts";

// Reviews and approvals count only if they were before the deployment, and snapshots never change. So the facts of a
// past deployment with a known build are final. They are remembered, because a year may have ten thousand deployments.

/** The facts of all deployments in a window, oldest first. */
interface Known extends Window {
  readonly facts: readonly DeploymentFacts[];
}

/** Remembered facts of all choices together. One takes about 300 bytes. */
const MAX_FACTS = 100_000;
/** Later, no record that was made before a deployment is still being written. */
const SETTLED = 3600;

/** By database, then by choice; the least recently used comes first. */
const knownOf = new WeakMap<Database, Map<string, Known>>();

interface Request extends FactsOf, Window {
  /** Unix seconds. */
  now: number;
}

/**
 * The facts of all deployments in a window, oldest first.
 *
 * @param records identifies the database in which `db` is a transaction
 * @throws Invalid for too many deployments
 */
export async function factsBetween(
  records: Database,
  db: Database,
  { from, until, now, ...place }: Request,
): Promise<DeploymentFacts[]> {
  const cache = knownOf.get(records) ?? new Map<string, Known>();
  knownOf.set(records, cache);
  const key = keyOf(place);
  const { orgId, environments } = place;
  const cached = cache.get(key);
  const known = cached && cached.from <= from ? cached : { from, until: from, facts: [] };
  const kept = await withBuilds(db, known.facts, place);
  const seen = new Set(kept.map(({ id }) => id));
  const environmentIds = environments.map(({ id }) => id);
  const rest = { orgId, environmentIds, from: known.until, until };
  const found = known.until > until ? [] : await boundedDeployments(db, rest, "from");
  const added = await factsOf(
    db,
    found.filter(({ id }) => !seen.has(id)),
    place,
  );
  const facts = [...kept, ...added];
  const settled = Math.max(known.until, Math.min(until, now - SETTLED));
  remember(cache, key, {
    from: known.from,
    until: settled,
    facts: facts.filter(({ deployedAt }) => deployedAt <= settled),
  });
  return facts.filter(({ deployedAt }) => deployedAt >= from && deployedAt <= until);
}

function keyOf({ orgId, environments, controls }: FactsOf): string {
  return JSON.stringify([orgId, environments.map(({ id }) => id), controls?.toSorted() ?? null]);
}

/** Reads the facts again whose build is not final, because its report may follow the deployment. */
async function withBuilds(db: Database, facts: readonly DeploymentFacts[], place: FactsOf) {
  const open = facts.filter(({ repoId }) => repoId === null);
  if (open.length === 0) return facts;
  const current = new Map((await factsOf(db, open, place)).map((each) => [each.id, each]));
  return facts.map((each) => current.get(each.id) ?? each);
}

function remember(cache: Map<string, Known>, key: string, known: Known): void {
  cache.delete(key);
  cache.set(key, known);
  let total = 0;
  for (const { facts } of cache.values()) total += facts.length;
  for (const [oldest, { facts }] of cache) {
    if (total <= MAX_FACTS) return;
    cache.delete(oldest);
    total -= facts.length;
  }
}

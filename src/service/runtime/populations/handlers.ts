import type { SignedLog } from "../../events/log/proofs.ts";
import { signedLog } from "../../events/log/proofs.ts";
import { requireControl } from "../../evidence/controls/records.ts";
import { requireFlow } from "../../evidence/flows/records.ts";
import { keptUp } from "../../evidence/packages/logged-events.ts";
import type { Organization } from "../../kernel/caller.ts";
import { Conflict, Invalid, TooLarge } from "../../kernel/errors.ts";
import { ordered } from "../../kernel/window.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Call, Handler } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { momentOf } from "../deployments/window.ts";
import { requireEnvironment } from "../environments/records.ts";
import { type FoundMember, type Member, membersIn, type Population, sampleOf } from "./members.ts";
import { populationPackage } from "./population-package.ts";
import { eventsOf, type LogRange, rangeOf } from "./range.ts";

/** Members in memory and in one answer. */
const MAX_MEMBERS = 50_000;

type Params = Call<"getPopulation">["params"];

export const getPopulation: Handler<"getPopulation"> = async ({ org, params }, context) => {
  await keptUp(context.evidenceLog, org);
  const { members } = await foundMembers(org, params, context);
  const { n, seed } = params;
  const sample = n === undefined ? [] : sampleOf(members, { n, seed });
  return {
    status: 200,
    body: { count: members.length, members: members.map(shown), sample: sample.map(shown) },
  };
};

function shown({ id, name, fingerprint, at, by }: Member) {
  return { id, name, fingerprint, at, by };
}

export const getPopulationPackage: Handler<"getPopulationPackage"> = async (call, context) => {
  const { org, caller, params } = call;
  await keptUp(context.evidenceLog, org);
  const { members, ...found } = await foundMembers(org, params, context);
  const { n, seed } = params;
  const content = await populationPackage(
    {
      ...found,
      org,
      members,
      sample: n === undefined ? undefined : { n, seed, members: sampleOf(members, { n, seed }) },
      madeBy: caller.accountName,
    },
    context,
  );
  const name = `${found.population.name}-population.tgz`;
  return { status: 200, body: { name, mediaType: "application/gzip", content } };
};

async function foundMembers(org: Organization, params: Params, { store, longWork }: ServiceContext) {
  const { population, log, range } = await store.readTogether(async (db) => {
    const population = await populationOf(db, org, params);
    const log = await signedLog(db, org.id);
    return { population, log, range: log && (await rangeOf(db, org.id, population, log)) };
  });
  const { log: signed, range: whole } = requireRange(org, log, range);
  const members: FoundMember[] = [];
  let index = whole.first;
  const parts = eventsOf((query) => longWork.do(org.id, () => store.readTogether(query)), org.id, whole);
  for await (const events of parts) {
    for (const event of events) {
      for (const member of membersIn(population, event)) members.push({ ...member, index });
      index += 1;
    }
    if (members.length > MAX_MEMBERS)
      throw new TooLarge(
        "population.too_large",
        `The period has more than ${MAX_MEMBERS} members. Choose a shorter one`,
      );
  }
  return { population, log: signed, range: whole, members };
}

function requireRange(org: Organization, log: SignedLog | undefined, range: LogRange | undefined) {
  if (log !== undefined && range !== undefined) return { log, range };
  throw new Conflict(
    "population.not_signed",
    `The log of ${org.name} has no checkpoint with this period. A service on PostgreSQL needs a secret key to sign one`,
  );
}

async function populationOf(db: Database, org: Organization, params: Params): Promise<Population> {
  const { flow, environment, control } = params;
  const { from, until: to } = ordered(
    { from: momentOf("from", params.from) ?? 0, until: momentOf("to", params.to) ?? 0 },
    ["from", "to"],
  );
  const period = { from, to };
  if ([flow, environment, control].filter((each) => each !== undefined).length !== 1)
    throw new Invalid("population.no_subject", "Give one of flow, environment and control");
  if (flow !== undefined) {
    const { id, name } = await requireFlow(db, org, flow);
    return { kind: "flow", id, name, ...period };
  }
  if (environment !== undefined) {
    const { id, name, type } = await requireEnvironment(db, org, environment);
    if (type === "logical")
      throw new Invalid(
        "population.logical_environment",
        `Environment '${name}' is logical: give one of its members`,
      );
    return { kind: "environment", id, name, ...period };
  }
  const { identifier } = await requireControl(db, org, control ?? "");
  return { kind: "control", id: identifier, name: identifier, ...period };
}

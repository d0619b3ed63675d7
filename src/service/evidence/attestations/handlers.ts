import * as z from "zod/mini";
import { attestationType } from "../../../api/names.ts";
import { fullType } from "../../../api/resources/attestation-type.ts";
import { SYSTEM_TYPE_DATA, SYSTEM_TYPE_VERSION } from "../../../api/resources/system-types.ts";
import type { PatternAnswers } from "../../judging/patterns/pattern-answers.ts";
import type { PatternError } from "../../judging/patterns/pattern-error.ts";
import { withPatterns } from "../../judging/patterns/with-patterns.ts";
import type { Organization } from "../../kernel/caller.ts";
import { cursorPage, positionOf, readCursor, writeCursor } from "../../kernel/cursor.ts";
import { Invalid, invalidInput, Unprocessable } from "../../kernel/errors.ts";
import type { Query } from "../../kernel/links.ts";
import { cutPage, pagination, sliceOf } from "../../kernel/paging.ts";
import type { Call, Handler } from "../../operation/handler.ts";
import { OVERRIDE } from "../../store/evidence-tables.ts";
import type { Database } from "../../store/tables.ts";
import { flowIdsInScope } from "../flows/list.ts";
import { findFlow, requireFlow } from "../flows/records.ts";
import { requireTrail } from "../trails/records.ts";
import { attestationsOfCommits, type ListFilter, newestAttestations, pageOfFlow } from "./list.ts";
import { attestationsOfTrail, findAttestation, recordView } from "./stored.ts";

const MAX_COMMITS = 1_000;

type ListCall = Call<"listAttestations">;

export const listAttestations: Handler<"listAttestations"> = async (
  { org, caller, params },
  { store, links, patterns },
) => {
  const view = { org: org.name, links };
  const { attestationId, perPage } = params;
  if (attestationId !== undefined) {
    const found = await store.readTogether(async (db) =>
      findAttestation(db, org.id, attestationId, await flowIdsInScope(db, org.id, caller.scope)),
    );
    return { status: 200, body: { data: found ? [recordView(found, view)] : [] } };
  }
  // One extra row shows whether there is a next page.
  const found = await withPatterns({ patterns, orgId: org.id, refuse: refusedRegex }, (answers) => {
    const filter = filterOf(params, answers);
    return store.readTogether(async (db) => {
      const flowIds = await flowIdsInScope(db, org.id, caller.scope);
      const trailId = await trailIdIn(db, org, params);
      // The trail is of the requested flow.
      const flows = trailId === undefined ? filter.flows : undefined;
      return newestAttestations(db, org.id, { ...filter, flows, flowIds, trailId }, perPage + 1);
    });
  });
  const { page, _links } = cursorPage(found, params, {
    cursorOf: ({ row }) => writeCursor(positionOf(row)),
    address: (pageParams) => links.api(["attestations", org.name], queryOf(pageParams)),
  });
  return {
    status: 200,
    body: {
      data: page.map((stored) => recordView(stored, view)),
      _links,
      // Has no total, because that would read every match.
      pagination: null,
    },
  };
};

/** @throws NotFound */
async function trailIdIn(
  db: Database,
  org: Organization,
  { flow: flows = [], trail }: ListCall["params"],
): Promise<string | undefined> {
  if (trail === undefined) return undefined;
  const [flowName, ...others] = flows;
  if (flowName === undefined || others.length > 0) {
    throw invalidInput({ "query.trail": "Give exactly one flow with a trail" });
  }
  const flow = await requireFlow(db, org, flowName);
  return (await requireTrail(db, org, flow, trail)).id;
}

/** @throws Invalid */
function filterOf(params: ListCall["params"], answers: PatternAnswers): ListFilter {
  const { name, nameRegex, flow, type, isCompliant, fromTimestamp, toTimestamp, after } = params;
  if (name !== undefined && nameRegex !== undefined) {
    throw invalidInput({ "query.name_regex": "Only one of name and name_regex may be given" });
  }
  return {
    name,
    namePattern: nameRegex === undefined ? undefined : { pattern: nameRegex, answers },
    flows: flow,
    types: type?.map(fullType),
    isCompliant,
    from: fromTimestamp,
    to: toTimestamp,
    after: after === undefined ? undefined : readCursor(after),
  };
}

function refusedRegex({ message }: PatternError): Invalid {
  return invalidInput(
    { "query.name_regex": `Input should be a valid regular expression: ${message}` },
    { code: "pattern.invalid" },
  );
}

function queryOf(params: ListCall["params"]): Query {
  return {
    flow: params.flow,
    trail: params.trail,
    type: params.type,
    name: params.name,
    name_regex: params.nameRegex,
    is_compliant: params.isCompliant,
    from_timestamp: params.fromTimestamp,
    to_timestamp: params.toTimestamp,
    per_page: params.perPage,
    after: params.after,
  };
}

export const listFlowAttestations: Handler<"listFlowAttestations"> = async (
  { org, params },
  { store, links },
) => {
  const { fromTimestamp: from, toTimestamp: to } = params;
  const { headers, page, perPage } = cutPage(params);
  const wanted = { ...sliceOf({ page, perPage }), from, to };
  return store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const { total, attestations } = await pageOfFlow(db, flow.id, wanted);
    return {
      status: 200,
      headers,
      body: {
        data: attestations.map((stored) => recordView(stored, { org: org.name, links })),
        pagination: pagination({ total, page, perPage }),
      },
    };
  });
};

export const listAttestationsForCriteria: Handler<"listAttestationsForCriteria"> = async (
  { org, caller, params },
  { store, links },
) => {
  const commits = [...new Set(params.commitList)];
  const { attestationName: name, attestationType: typeName, flowName } = params;
  if (commits.length === 0) {
    throw new Invalid(
      "request.field_invalid",
      "commit_list is required: provide one or more commit SHAs to search.",
    );
  }
  if (commits.length > MAX_COMMITS) {
    throw invalidInput({ "query.commit_list": `List should have at most ${MAX_COMMITS} items` });
  }
  const type = typeName === undefined ? undefined : requireAttestationType(typeName);
  return store.readTogether(async (db) => {
    const flow = flowName === undefined ? undefined : await findFlow(db, org.id, flowName);
    const flowIds = await flowIdsInScope(db, org.id, caller.scope);
    const found =
      flowName !== undefined && !flow
        ? []
        : await attestationsOfCommits(db, org.id, { commits, flowId: flow?.id, flowIds, name, type });
    const byCommit = Map.groupBy(found, ({ row }) => row.commit_sha);
    const entries = commits.map((commit) => [
      commit,
      (byCommit.get(commit) ?? []).map((stored) => recordView(stored, { org: org.name, links })),
    ]);
    return { status: 200, body: Object.fromEntries(entries) };
  });
};

/** @throws Unprocessable */
function requireAttestationType(type: string): string {
  if (type !== OVERRIDE && !attestationType.safeParse(type).success) {
    throw new Unprocessable("request.field_invalid", {
      loc: ["query", "attestation_type"],
      msg: "Input should be 'generic', 'junit', 'snyk', 'pull_request', 'jira', 'sonar', 'custom:<name>', 'system:<name>' or 'override'",
      type: "enum",
    });
  }
  return fullType(type);
}

export const listTrailAttestations: Handler<"listTrailAttestations"> = async (
  { org, params },
  { store, links },
) =>
  store.readTogether(async (db) => {
    const flow = await requireFlow(db, org, params.flowName);
    const trail = await requireTrail(db, org, flow, params.trailName);
    const found = await attestationsOfTrail(db, { trailId: trail.id, name: params.attestationName });
    return { status: 200, body: found.map((stored) => recordView(stored, { org: org.name, links })) };
  });

export const listSystemAttestationTypes: Handler<"listSystemAttestationTypes"> = async () => ({
  status: 200,
  body: Object.entries(SYSTEM_TYPE_DATA).map(([name, { description, data }]) => ({
    name,
    description,
    versions: [{ version: SYSTEM_TYPE_VERSION, typeSchema: z.toJSONSchema(data, { io: "input" }) }],
  })),
});

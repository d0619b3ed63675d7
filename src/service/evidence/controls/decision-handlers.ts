import type { Organization } from "../../kernel/caller.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import { pageFields, sliceOf } from "../../kernel/paging.ts";
import type { Handler } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import {
  artifactNames,
  type DecisionRow,
  filesOfDecisions,
  findDecision,
  listDecisions,
} from "./decision-list.ts";
import { requireControl } from "./records.ts";
import { decisionView } from "./view.ts";

export const listControlDecisions: Handler<"listControlDecisions"> = async (
  { org, params },
  { store, links },
) =>
  store.readTogether(async (db) => {
    const { identifier, page, perPage, sortDirection, ...filter } = params;
    await requireControl(db, org, identifier);
    const subject = { orgId: org.id, control: identifier };
    const { total, decisions } = await listDecisions(db, subject, filter, {
      ...sliceOf(params),
      sortDirection,
    });
    const query = {
      is_compliant: filter.isCompliant,
      from_timestamp: filter.fromTimestamp,
      to_timestamp: filter.toTimestamp,
      flow_id: filter.flowId,
      sort_direction: sortDirection,
    };
    return {
      status: 200,
      body: {
        ...pageFields({ total, page, perPage }, (paging) =>
          links.api(["controls", org.name, identifier, "decisions"], { ...query, ...paging }),
        ),
        decisions: await views(db, org, decisions, links),
      },
    };
  });

export const getControlDecision: Handler<"getControlDecision"> = async ({ org, params }, { store, links }) =>
  store.readTogether(async (db) => {
    const { identifier, decisionId } = params;
    await requireControl(db, org, identifier);
    const found = await findDecision(db, { orgId: org.id, control: identifier, id: decisionId });
    const [body] = found ? await views(db, org, [found], links) : [];
    if (!body)
      throw new NotFound(
        "decision.not_found",
        `Decision '${decisionId}' does not exist for control '${identifier}'`,
      );
    return { status: 200, body };
  });

async function views(db: Database, org: Organization, decisions: readonly DecisionRow[], links: Links) {
  const ids = decisions.map(({ attestation_id }) => attestation_id);
  const files = await filesOfDecisions(db, ids);
  const fingerprints = new Set(decisions.flatMap(({ artifact_fingerprint }) => artifact_fingerprint ?? []));
  const names = await artifactNames(db, org.id, [...fingerprints]);
  return decisions.map((decision) =>
    decisionView(decision, {
      org: org.name,
      files: files.get(decision.attestation_id) ?? [],
      artifactName: names.get(decision.artifact_fingerprint ?? ""),
      links,
    }),
  );
}

import type { getControlDecision, listControlDecisions } from "../../api/controls.ts";
import { NotFound } from "../kernel/errors.ts";
import type { Links } from "../kernel/links.ts";
import type { Organization } from "../kernel/organization.ts";
import { pageLinks } from "../kernel/page-links.ts";
import type { Call, Handler } from "../operation/handler.ts";
import type { Database } from "../store/tables.ts";
import {
  artifactNames,
  type DecisionRow,
  filesOfDecisions,
  findDecision,
  listDecisions,
} from "./decision-list.ts";
import { requireControl } from "./records.ts";
import { decisionView } from "./view.ts";

export const handleListControlDecisions: Handler<typeof listControlDecisions> = async (
  { org, params },
  { store, links },
) =>
  store.readTogether(async (db) => {
    const { identifier, page, perPage, sortDirection, ...filter } = params;
    await requireControl(db, org, identifier);
    const subject = { orgId: org.id, control: identifier };
    const { total, decisions } = await listDecisions(db, subject, filter, { page, perPage, sortDirection });
    const totalPages = Math.ceil(total / perPage);
    return {
      status: 200,
      body: {
        _links: pageLinks({ page, perPage, totalPages }, (paging) =>
          links.api(
            ["controls", org.name, identifier, "decisions"],
            [...asked(params), ...Object.entries(paging)],
          ),
        ),
        page,
        perPage,
        totalPages,
        totalCount: total,
        decisions: await views(db, org, decisions, links),
      },
    };
  });

export const handleGetControlDecision: Handler<typeof getControlDecision> = async (
  { org, params },
  { store, links },
) =>
  store.readTogether(async (db) => {
    const { identifier, decisionId } = params;
    await requireControl(db, org, identifier);
    const found = await findDecision(db, { orgId: org.id, control: identifier, id: decisionId });
    const [body] = found ? await views(db, org, [found], links) : [];
    if (!body) throw new NotFound(`Decision '${decisionId}' does not exist for control '${identifier}'`);
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

/** What was asked for besides the page, to be asked for again by the links to other pages. */
function asked({
  isCompliant,
  fromTimestamp,
  toTimestamp,
  flowId = [],
  sortDirection,
}: Call<typeof listControlDecisions>["params"]): [string, string][] {
  const single = { is_compliant: isCompliant, from_timestamp: fromTimestamp, to_timestamp: toTimestamp };
  return [
    ...Object.entries(single).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
    ...flowId.map((each): [string, string] => ["flow_id", each]),
    ["sort_direction", sortDirection],
  ];
}

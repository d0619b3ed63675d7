import { flowContent, type PlaceInFlow, trailAsItIs } from "../events/projections/flow-content.ts";
import type { FlowContent, Happening } from "../events/projections/raise.ts";
import type { NewApproval } from "../evidence/approvals/records.ts";
import type { Flow } from "../evidence/flows/records.ts";
import { commitOfReport } from "../notifications/commit.ts";
import type { Database } from "../store/tables.ts";

type RecordedApproval = Pick<NewApproval, "artifactFingerprint" | "artifactName" | "state"> & {
  number: number;
};

/** What happens when an approval is recorded: its artifact may be released with it. */
export function approved(
  db: Database,
  { flow, ...within }: Pick<PlaceInFlow, "org" | "links"> & { flow: Flow },
  approval: RecordedApproval,
): readonly Happening[] {
  const { artifactName, number, state } = approval;
  const recorded = `${state}: approval ${number} of artifact '${artifactName}' was recorded in flow '${flow.name}'.`;
  const released = `${state}: artifact '${artifactName}' may be released, by approval ${number} of flow '${flow.name}'.`;
  const happening = (trigger: Happening["trigger"], description: string): Happening => ({
    trigger,
    place: flow.name,
    each: async () => [await content(db, { ...within, flow }, { ...approval, description })],
  });
  return [
    happening("ON_APPROVAL", recorded),
    ...(state === "APPROVED" ? [happening("ON_RELEASE", released)] : []),
  ];
}

async function content(
  db: Database,
  { org, links, flow }: Pick<PlaceInFlow, "org" | "links"> & { flow: Flow },
  {
    artifactFingerprint: fingerprint,
    artifactName,
    number,
    state,
    description,
  }: RecordedApproval & {
    description: string;
  },
): Promise<FlowContent> {
  const report = await db
    .selectFrom("artifacts")
    .select(["id", "trail_id", "commit_sha", "commit_url", "build_url", "details"])
    .where("flow_id", "=", flow.id)
    .where("fingerprint", "=", fingerprint)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  const trail = report.trail_id === null ? undefined : await trailAsItIs(db, report.trail_id);
  return flowContent(
    { org, links, flowName: flow.name, trail },
    {
      description,
      commit: commitOfReport(report),
      runUrl: report.build_url,
      artifact: {
        name: artifactName,
        fingerprint,
        html_url: links.artifact(org.name, flow.name, fingerprint, report.id),
      },
      approval: { number, state },
    },
  );
}

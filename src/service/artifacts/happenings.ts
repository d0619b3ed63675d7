import type { reportArtifact } from "../../api/resources/artifact-report.ts";
import { flowContent, type PlaceInFlow, trailStarted } from "../events/projections/flow-content.ts";
import type { FlowContent, Happening } from "../events/projections/raise.ts";
import type { AddedArtifact } from "../evidence/artifacts/records.ts";
import type { Flow } from "../evidence/flows/records.ts";
import type { OpenTrail } from "../evidence/trails/open-trail.ts";
import { commitOf } from "../notifications/commit.ts";
import type { ServiceContext } from "../operation/context.ts";
import type { Call } from "../operation/handler.ts";

interface Reported {
  flow: Flow;
  /** The trail that it was reported to, as it was before. */
  place: Omit<OpenTrail, "flow"> | { trail: undefined };
  added: AddedArtifact;
}

/** What happens when an artifact is reported: a trail may begin with it. */
export function artifactReported(
  { org, body }: Pick<Call<typeof reportArtifact>, "org" | "body">,
  { links }: Pick<ServiceContext, "links">,
  { flow, place, added }: Reported,
): readonly Happening[] {
  const flowName = flow.name;
  const inFlow = { org, links, flowName };
  const inTrail = (records: OpenTrail["trail"], { said }: Pick<OpenTrail, "said">) => ({
    ...inFlow,
    trail: { name: body.trailName ?? "", records, said },
  });
  const content = (where: PlaceInFlow): FlowContent => {
    const { trail } = where;
    const [state, to] = trail
      ? [trail.records.verdict.state, `trail '${trail.name}' of flow '${flowName}'`]
      : ["REPORTED", `flow '${flowName}'`];
    const { filename, fingerprint, gitCommit, gitCommitInfo, commitUrl, buildUrl } = body;
    const commit = gitCommitInfo ?? (gitCommit ? { sha1: gitCommit } : undefined);
    return flowContent(where, {
      description: `${state}: artifact '${filename}' was reported to ${to}.`,
      commit: commit && commitOf({ ...commit, url: commit.url || commitUrl }),
      runUrl: buildUrl,
      artifact: {
        name: filename,
        fingerprint,
        html_url: links.artifact(org.name, flowName, fingerprint, added.id),
      },
    });
  };
  const where = place.trail && added.trail ? inTrail(added.trail, place) : { ...inFlow, trail: undefined };
  return [
    ...(place.trail && place.isNew ? [trailStarted(inTrail(place.trail, place))] : []),
    { trigger: "ON_ATTESTED_PROVENANCE", place: flowName, each: () => [content(where)] },
  ];
}

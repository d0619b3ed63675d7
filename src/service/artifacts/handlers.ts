import { artifactReport, type reportArtifact } from "../../api/resources/artifact-report.ts";
import { matchTemplate } from "../../api/resources/match-template.ts";
import { formatTemplateMatch, TEMPLATE_MATCH_HEADER } from "../../api/resources/template-match.ts";
import { FLOW_CREATED_HEADER } from "../../api/submission.ts";
import { toWire } from "../../api/wire-names.ts";
import { raise } from "../events/projections/raise.ts";
import { rulesOf } from "../events/projections/rules.ts";
import { addArtifact, type ReportedArtifact } from "../evidence/artifacts/records.ts";
import { requireOpenFlow } from "../evidence/flows/records.ts";
import { findPlace, openTrail } from "../evidence/trails/open-trail.ts";
import { asLinkObjects } from "../kernel/external-urls.ts";
import type { RequestContext } from "../kernel/request-context.ts";
import type { Call, Handler } from "../operation/handler.ts";
import { once } from "../operation/idempotency.ts";
import { requestContextOf } from "../operation/request-context.ts";
import { originHeader } from "../origins/record-origin.ts";
import { spooledByField } from "../origins/spooled-by.ts";
import { artifactReported } from "./happenings.ts";

export const handleReportArtifact: Handler<typeof reportArtifact> = async (call, context) => {
  const { org, params, body, identity } = call;
  // No trail has an empty name.
  const names = { flowName: params.flowName, trailName: body.trailName ?? "" };
  const requestContext = requestContextOf(call, context);
  const subjectIn = ({ id }: { id: string }) => `artifact/${id}/${body.fingerprint}`;
  return context.store.write((db) =>
    once(db, {
      identity,
      subjectOf: (found) => {
        const place = names.trailName ? found?.trail : found?.flow;
        return place && subjectIn(place);
      },
      now: requestContext.now,
      lookUp: () => findPlace(db, org.id, names),
      record: async ({ found, keep }) => {
        const rules = found?.rules ?? (await rulesOf(db, org.id, "flow"));
        const { flow, ...place } = names.trailName
          ? await openTrail(db, names, requestContext, found)
          : { flow: await requireOpenFlow(db, org, params.flowName), trail: undefined, isFlowNew: false };
        const { trail } = place;
        const artifact = reported(body, requestContext);
        const added = await addArtifact(db, { flow, trail }, artifact, requestContext);
        const match = matchTemplate((trail ?? flow).template, { artifact: added.name });
        const headers = {
          [TEMPLATE_MATCH_HEADER]: formatTemplateMatch(match),
          [FLOW_CREATED_HEADER]: String(place.isFlowNew),
          ...originHeader(requestContext, artifact.said),
        };
        const raising = { org, deliveries: context.deliveries, now: requestContext.now };
        await raise(db, raising, rules, artifactReported(call, context, { flow, place, added }));
        const answer = { status: 201, headers, body: { message: "OK" } } as const;
        await keep(answer, subjectIn(trail ?? flow));
        return answer;
      },
    }),
  );
};

function reported(
  body: Call<typeof reportArtifact>["body"],
  requestContext: RequestContext,
): ReportedArtifact {
  return {
    fingerprint: body.fingerprint,
    filename: body.filename,
    templateName: body.templateReferenceName ?? null,
    commitSha: body.gitCommit ?? body.gitCommitInfo?.sha1 ?? null,
    branch: body.gitCommitInfo?.branch ?? null,
    isCompliant: body.isCompliant ?? null,
    buildUrl: body.buildUrl,
    commitUrl: body.commitUrl,
    repoUrl: body.repoUrl || null,
    repoInfo: body.repoInfo,
    said: {
      gitCommitInfo: body.gitCommitInfo ?? null,
      repoInfo: body.repoInfo ?? null,
      run: body.buildUrl,
      commit: body.gitCommit ?? null,
      commitUrl: body.commitUrl,
      repoUrl: body.repoUrl ?? null,
    },
    details: JSON.stringify({
      ...Object(toWire(artifactReport, details(body))),
      ...spooledByField(requestContext),
    }),
  };
}

function details({
  description,
  gitCommitInfo,
  commitsList,
  annotations,
  userData,
  ...body
}: Call<typeof reportArtifact>["body"]): object {
  const externalUrls = asLinkObjects(body.externalUrls);
  return { description, gitCommitInfo, commitsList, externalUrls, annotations, userData };
}

import * as z from "zod/mini";
import { artifactName, commitSha, fingerprint, reference, trailName, webAddress } from "../names.ts";
import { defineOperation, insideFlow } from "../operation.ts";
import { shortText } from "../texts.ts";
import { FLOW_CREATED_HEADER, gitCommitInfo, originFields } from "./provenance.ts";
import { TEMPLATE_MATCH_HEADER } from "./template-match.ts";

export const artifactReport = z.looseObject({
  fingerprint,
  /** Name for people, such as a file name or image reference. */
  filename: shortText.check(z.minLength(1)),
  build_url: webAddress,
  commit_url: webAddress,
  trail_name: z.nullish(trailName),
  /** Name of the artifact in the flow template. */
  template_reference_name: z.nullish(artifactName),
  git_commit: z.nullish(commitSha),
  commits_list: z.nullish(z.array(gitCommitInfo)),
  repo_url: z.nullish(z.union([webAddress, z.literal("")])),
  is_compliant: z.nullish(z.boolean()),
  annotations: z.nullish(z.record(shortText, z.unknown())),
  ...originFields,
});

/** Reports an artifact that was built. Each report is a new record; the latest one counts. */
export const reportArtifact = defineOperation({
  name: "reportArtifact",
  summary: "Report an artifact",
  route: "POST /artifacts/{org}/{flow_name}",
  access: "attest",
  reach: insideFlow,
  heavy: false,
  params: z.object({ flow_name: reference }),
  body: { kind: "json", schema: artifactReport },
  responses: { 201: z.union([z.looseObject({ message: z.string() }), z.string()]) },
  answerHeaders: [TEMPLATE_MATCH_HEADER, FLOW_CREATED_HEADER],
  takesIdempotencyKey: true,
  spoolable: true,
});

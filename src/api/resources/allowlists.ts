import * as z from "zod/mini";
import { fingerprint, reference } from "../names.ts";
import { defineOperation, insideEnvironment } from "../operation.ts";
import { longText, shortText } from "../texts.ts";

const allowance = z.strictObject({
  artifact_name: shortText,
  artifact_fingerprint: fingerprint,
  /** Why it may run. */
  description: longText,
});

export const allowArtifact = defineOperation({
  name: "allowArtifact",
  summary: "Let an artifact count as compliant in an environment whatever its policies say",
  route: "PUT /allowlists/{org}/{env_name}",
  access: "approve",
  reach: insideEnvironment,
  heavy: false,
  params: z.object({ env_name: reference }),
  body: { kind: "json", schema: allowance },
  responses: { 201: z.union([z.looseObject(allowance.shape), z.string()]) },
  errors: { 404: "No such environment" },
});

export const listAllowlists = defineOperation({
  name: "listAllowlists",
  summary: "List the artifacts that are allowed in environments, newest first",
  route: "GET /allowlists/{org}",
  access: "read",
  reach: { list: {} },
  heavy: false,
  responses: {
    200: z.array(
      z.looseObject({
        artifact_name: z.string(),
        fingerprint: z.string(),
        environment_name: z.string(),
        /** Unix seconds. */
        timestamp: z.number(),
        user_name: z.string(),
        description: z.string(),
      }),
    ),
  },
});

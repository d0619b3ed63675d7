import * as z from "zod/mini";
import { fingerprint, reference } from "../names.ts";
import { defineOperation, insideEnvironment } from "../operation.ts";
import { longText, shortText } from "../texts.ts";

const allowance = z.strictObject({
  artifact_name: shortText,
  artifact_fingerprint: fingerprint,
  /** Reason for allowing it. */
  description: longText,
});

/** Adds the artifact to the allowlist: it counts as compliant in the environment regardless of the policies. */
export const allowArtifact = defineOperation({
  name: "allowArtifact",
  summary: "Allow an artifact in an environment",
  route: "PUT /allowlists/{org}/{env_name}",
  access: "approve",
  reach: insideEnvironment,
  heavy: false,
  params: z.object({ env_name: reference }),
  body: { kind: "json", schema: allowance },
  responses: { 201: z.union([z.looseObject(allowance.shape), z.string()]) },
  errors: { 404: "No such environment" },
});

/** Lists the allowed artifacts of all environments, newest first. */
export const listAllowlists = defineOperation({
  name: "listAllowlists",
  summary: "List allowlist entries",
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

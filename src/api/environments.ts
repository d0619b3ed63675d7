import * as z from "zod/mini";
import { environmentName, policyName } from "./names.ts";
import { defineOperation } from "./operation.ts";

export const environmentType = z.enum([
  "K8S",
  "ECS",
  "S3",
  "lambda",
  "server",
  "docker",
  "azure-apps",
  "logical",
]);

export const createEnvironment = defineOperation({
  name: "createEnvironment",
  summary: "Create or update an environment",
  method: "PUT",
  path: "/environments/{org}",
  access: "report",
  body: {
    kind: "json",
    schema: z.strictObject({
      name: environmentName,
      type: environmentType,
      /** On an update, an empty description leaves the stored one. */
      description: z.string(),
      include_scaling: z.nullish(z.boolean()),
      require_provenance: z.nullish(z.boolean()),
      included_environments: z.nullish(z.array(environmentName)),
      policies: z.nullish(z.array(policyName)),
    }),
  },
  responses: { 200: z.string(), 201: z.string() },
});

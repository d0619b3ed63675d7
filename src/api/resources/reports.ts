import * as z from "zod/mini";
import { fingerprint, reference } from "../names.ts";
import { defineOperation, insideEnvironment } from "../operation.ts";
import { indexedText, shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";

/* What runs in environments, reported type by type in one shape. */

const report = {
  access: "report",
  reach: insideEnvironment,
  heavy: false,
  params: z.object({ env_name: reference }),
  invalidBodyMessage: "Invalid report data",
  /** 201 when a snapshot was created, 200 when the latest one still holds. */
  responses: { 200: z.string(), 201: z.string() },
  errors: { 404: "No such environment" },
} as const;

/** sha256 in hex by artifact name. */
const digests = z.record(indexedText, fingerprint);
/** Empty for an artifact whose digest could not be found out. */
const digestsIfKnown = z.record(indexedText, z.union([fingerprint, z.literal("")]));
/** Unix seconds. */
const creationTimestamp = z.int();

const plainEntry = z.strictObject({ digests, creationTimestamp });

/** A container, or what a path leads to. */
export type PlainEntry = Camel<z.infer<typeof plainEntry>>;

/** The body of a report: the type of its environment, and what runs there. */
const bodyOf = <Type extends string, Entry extends z.core.$ZodType>(type: Type, entry: Entry) => ({
  kind: "json" as const,
  schema: z.strictObject({ type: z._default(z.literal(type), type), artifacts: z.array(entry) }),
});

const ownerReference = z.looseObject({
  apiVersion: shortText,
  kind: shortText,
  name: shortText,
  uid: shortText,
  controller: z.nullish(z.boolean()),
  blockOwnerDeletion: z.nullish(z.boolean()),
});

export const podEntry = z.strictObject({
  podName: shortText,
  namespace: shortText,
  /** sha256 in hex by image name. */
  digests: z.record(indexedText, fingerprint),
  /** Unix seconds. */
  creationTimestamp: z.int(),
  owners: z.nullish(z.array(ownerReference)),
});

export type PodEntry = Camel<z.infer<typeof podEntry>>;

const taskEntry = z.strictObject({
  taskArn: shortText,
  digests: digestsIfKnown,
  cluster_name: z.nullish(shortText),
  service_name: z.nullish(shortText),
  creationTimestamp,
});

const appEntry = z.strictObject({
  app_name: shortText,
  app_kind: shortText,
  /** Where the digests were found. */
  digests_source: z.enum(["acr", "logs", "kosli-cli"]),
  digests: digestsIfKnown,
  creationTimestamp,
});

const runEntry = z.strictObject({
  kind: shortText,
  serviceName: z.nullish(shortText),
  revisionName: z.nullish(shortText),
  jobName: z.nullish(shortText),
  digests: digestsIfKnown,
  creationTimestamp,
});

export const reportK8S = defineOperation({
  ...report,
  name: "reportK8S",
  summary: "Report the pods that run in a Kubernetes environment",
  route: "PUT /environments/{org}/{env_name}/report/K8S",
  body: bodyOf("K8S", podEntry),
});

export const reportECS = defineOperation({
  ...report,
  name: "reportECS",
  summary: "Report the tasks that run in an Amazon ECS environment",
  route: "PUT /environments/{org}/{env_name}/report/ECS",
  body: bodyOf("ECS", taskEntry),
});

export const reportS3 = defineOperation({
  ...report,
  name: "reportS3",
  summary: "Report what an Amazon S3 environment holds",
  route: "PUT /environments/{org}/{env_name}/report/S3",
  body: bodyOf("S3", plainEntry),
});

export const reportLambda = defineOperation({
  ...report,
  name: "reportLambda",
  summary: "Report the functions of an AWS Lambda environment",
  route: "PUT /environments/{org}/{env_name}/report/lambda",
  body: bodyOf("lambda", plainEntry),
});

export const reportServer = defineOperation({
  ...report,
  name: "reportServer",
  summary: "Report the files and folders that a server runs",
  route: "PUT /environments/{org}/{env_name}/report/server",
  body: bodyOf("server", plainEntry),
});

export const reportDocker = defineOperation({
  ...report,
  name: "reportDocker",
  summary: "Report the containers that run on a Docker host",
  route: "PUT /environments/{org}/{env_name}/report/docker",
  body: bodyOf("docker", plainEntry),
});

export const reportAzureApps = defineOperation({
  ...report,
  name: "reportAzureApps",
  summary: "Report the Azure web apps and function apps that run",
  route: "PUT /environments/{org}/{env_name}/report/azure-apps",
  body: bodyOf("azure-apps", appEntry),
});

export const reportCloudRun = defineOperation({
  ...report,
  name: "reportCloudRun",
  summary: "Report the Google Cloud Run services and jobs that run",
  route: "PUT /environments/{org}/{env_name}/report/cloud-run",
  body: bodyOf("cloud-run", runEntry),
});

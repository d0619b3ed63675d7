import * as z from "zod/mini";
import { fingerprint, reference } from "../names.ts";
import { defineOperation } from "../operation.ts";
import { indexedText, shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";

/* What runs in environments, reported type by type in one shape. */

const params = z.object({ env_name: reference });
/** 201 when a snapshot was created, 200 when the latest one still holds. */
const responses = { 200: z.string(), 201: z.string() };
const errors = { 404: "No such environment" } as const;

/** sha256 in hex by artifact name. */
const digests = z.record(indexedText, fingerprint);
/** Empty for an artifact whose digest could not be found out. */
const digestsIfKnown = z.record(indexedText, z.union([fingerprint, z.literal("")]));
/** Unix seconds. */
const creationTimestamp = z.int();

const plainEntry = z.strictObject({ digests, creationTimestamp });

/** A container, or what a path leads to. */
export type PlainEntry = Camel<z.infer<typeof plainEntry>>;

/** An artifact of a plain list: there is nothing to tell but what it is and since when it runs. */
const plainReport = <Kind extends string>(kind: Kind) => ({
  kind: "json" as const,
  schema: z.strictObject({ type: z._default(z.literal(kind), kind), artifacts: z.array(plainEntry) }),
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

/** What a report is told whose body is not one. */
const INVALID_REPORT = "Invalid report data";

export const reportK8S = defineOperation({
  name: "reportK8S",
  invalidBodyMessage: INVALID_REPORT,
  summary: "Report the pods that run in a Kubernetes environment",
  method: "PUT",
  path: "/environments/{org}/{env_name}/report/K8S",
  access: "report",
  params,
  body: {
    kind: "json",
    schema: z.strictObject({ type: z._default(z.literal("K8S"), "K8S"), artifacts: z.array(podEntry) }),
  },
  responses,
  errors,
});

export const reportECS = defineOperation({
  name: "reportECS",
  invalidBodyMessage: INVALID_REPORT,
  summary: "Report the tasks that run in an Amazon ECS environment",
  method: "PUT",
  path: "/environments/{org}/{env_name}/report/ECS",
  access: "report",
  params,
  body: {
    kind: "json",
    schema: z.strictObject({ type: z._default(z.literal("ECS"), "ECS"), artifacts: z.array(taskEntry) }),
  },
  responses,
  errors,
});

export const reportS3 = defineOperation({
  name: "reportS3",
  invalidBodyMessage: INVALID_REPORT,
  summary: "Report what an Amazon S3 environment holds",
  method: "PUT",
  path: "/environments/{org}/{env_name}/report/S3",
  access: "report",
  params,
  body: plainReport("S3"),
  responses,
  errors,
});

export const reportLambda = defineOperation({
  name: "reportLambda",
  invalidBodyMessage: INVALID_REPORT,
  summary: "Report the functions of an AWS Lambda environment",
  method: "PUT",
  path: "/environments/{org}/{env_name}/report/lambda",
  access: "report",
  params,
  body: plainReport("lambda"),
  responses,
  errors,
});

export const reportServer = defineOperation({
  name: "reportServer",
  invalidBodyMessage: INVALID_REPORT,
  summary: "Report the files and folders that a server runs",
  method: "PUT",
  path: "/environments/{org}/{env_name}/report/server",
  access: "report",
  params,
  body: plainReport("server"),
  responses,
  errors,
});

export const reportDocker = defineOperation({
  name: "reportDocker",
  invalidBodyMessage: INVALID_REPORT,
  summary: "Report the containers that run on a Docker host",
  method: "PUT",
  path: "/environments/{org}/{env_name}/report/docker",
  access: "report",
  params,
  body: plainReport("docker"),
  responses,
  errors,
});

export const reportAzureApps = defineOperation({
  name: "reportAzureApps",
  invalidBodyMessage: INVALID_REPORT,
  summary: "Report the Azure web apps and function apps that run",
  method: "PUT",
  path: "/environments/{org}/{env_name}/report/azure-apps",
  access: "report",
  params,
  body: {
    kind: "json",
    schema: z.strictObject({
      type: z._default(z.literal("azure-apps"), "azure-apps"),
      artifacts: z.array(appEntry),
    }),
  },
  responses,
  errors,
});

export const reportCloudRun = defineOperation({
  name: "reportCloudRun",
  invalidBodyMessage: INVALID_REPORT,
  summary: "Report the Google Cloud Run services and jobs that run",
  method: "PUT",
  path: "/environments/{org}/{env_name}/report/cloud-run",
  access: "report",
  params,
  body: {
    kind: "json",
    schema: z.strictObject({
      type: z._default(z.literal("cloud-run"), "cloud-run"),
      artifacts: z.array(runEntry),
    }),
  },
  responses,
  errors,
});

import * as z from "zod/mini";
import { fingerprint, reference } from "../names.ts";
import { defineOperation, insideEnvironment } from "../operation.ts";
import { indexedText, shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";

/* Reports of running artifacts, one for each type of environment. */

const report = {
  access: "report",
  reach: insideEnvironment,
  heavy: false,
  params: z.object({ env_name: reference }),
  invalidBodyMessage: "Invalid report data",
  /** 201 if a snapshot was created, 200 if the latest one is still current. */
  responses: { 200: z.string(), 201: z.string() },
  errors: { 404: "No such environment" },
} as const;

/** Sha256 in hex by artifact name. */
const digests = z.record(indexedText, fingerprint);
/** Sha256 in hex by artifact name; empty if unknown. */
const digestsIfKnown = z.record(indexedText, z.union([fingerprint, z.literal("")]));
/** Start of the instance, in Unix seconds. */
const creationTimestamp = z.int();

const plainEntry = z.strictObject({ digests, creationTimestamp });

/** A container, or a file or directory. */
export type PlainEntry = Camel<z.infer<typeof plainEntry>>;

/** Body of a report: the type of the environment and its running artifacts. */
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
  /** Sha256 in hex by image name. */
  digests: z.record(indexedText, fingerprint),
  /** Start of the pod, in Unix seconds. */
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

export type TaskEntry = Camel<z.infer<typeof taskEntry>>;

const appEntry = z.strictObject({
  app_name: shortText,
  app_kind: shortText,
  /** Source of the digests. */
  digests_source: z.enum(["acr", "logs", "kosli-cli"]),
  digests: digestsIfKnown,
  creationTimestamp,
});

/** A web app or function app of Azure. */
export type AppEntry = Camel<z.infer<typeof appEntry>>;

const runEntry = z.strictObject({
  kind: shortText,
  serviceName: z.nullish(shortText),
  revisionName: z.nullish(shortText),
  jobName: z.nullish(shortText),
  digests: digestsIfKnown,
  creationTimestamp,
});

/** A revision or job of Cloud Run. */
export type RunEntry = Camel<z.infer<typeof runEntry>>;

/** Reports the running pods of a Kubernetes cluster. A changed set of artifacts creates a snapshot. */
export const reportK8S = defineOperation({
  ...report,
  name: "reportK8S",
  summary: "Report Kubernetes",
  route: "PUT /environments/{org}/{env_name}/report/K8S",
  body: bodyOf("K8S", podEntry),
});

/** Reports the running tasks of Amazon ECS. A changed set of artifacts creates a snapshot. */
export const reportECS = defineOperation({
  ...report,
  name: "reportECS",
  summary: "Report Amazon ECS",
  route: "PUT /environments/{org}/{env_name}/report/ECS",
  body: bodyOf("ECS", taskEntry),
});

/** Reports the content of Amazon S3 buckets. A changed set of artifacts creates a snapshot. */
export const reportS3 = defineOperation({
  ...report,
  name: "reportS3",
  summary: "Report Amazon S3",
  route: "PUT /environments/{org}/{env_name}/report/S3",
  body: bodyOf("S3", plainEntry),
});

/** Reports the functions of AWS Lambda. A changed set of artifacts creates a snapshot. */
export const reportLambda = defineOperation({
  ...report,
  name: "reportLambda",
  summary: "Report AWS Lambda",
  route: "PUT /environments/{org}/{env_name}/report/lambda",
  body: bodyOf("lambda", plainEntry),
});

/** Reports the files and directories of a server. A changed set of artifacts creates a snapshot. */
export const reportServer = defineOperation({
  ...report,
  name: "reportServer",
  summary: "Report a server",
  route: "PUT /environments/{org}/{env_name}/report/server",
  body: bodyOf("server", plainEntry),
});

/** Reports the running containers of a Docker host. A changed set of artifacts creates a snapshot. */
export const reportDocker = defineOperation({
  ...report,
  name: "reportDocker",
  summary: "Report a Docker host",
  route: "PUT /environments/{org}/{env_name}/report/docker",
  body: bodyOf("docker", plainEntry),
});

/** Reports the running Azure web apps and function apps. A changed set of artifacts creates a snapshot. */
export const reportAzureApps = defineOperation({
  ...report,
  name: "reportAzureApps",
  summary: "Report Azure apps",
  route: "PUT /environments/{org}/{env_name}/report/azure-apps",
  body: bodyOf("azure-apps", appEntry),
});

/** Reports the running Google Cloud Run services and jobs. A changed set of artifacts creates a snapshot. */
export const reportCloudRun = defineOperation({
  ...report,
  name: "reportCloudRun",
  summary: "Report Cloud Run",
  route: "PUT /environments/{org}/{env_name}/report/cloud-run",
  body: bodyOf("cloud-run", runEntry),
});

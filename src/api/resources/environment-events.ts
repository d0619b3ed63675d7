import * as z from "zod/mini";
import { reference } from "../names.ts";
import { defineOperation, fileAnswer, readsEnvironment } from "../operation.ts";
import { itemsPerPage, pageOf } from "../paging.ts";
import { longText, shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";

const links = z.nullish(z.looseObject({ self: z.nullish(z.string()), html: z.nullish(z.string()) }));

const environmentEvent = z.looseObject({
  environment_name: z.nullish(z.string()),
  snapshot_index: z.nullish(z.int()),
  artifact_name: z.nullish(z.string()),
  sha256: z.nullish(z.string()),
  /** Description of the change, such as `2 instances started running (from 0 to 2)`. */
  description: z.nullish(z.string()),
  /** Time of the report, in Unix seconds. */
  reported_at: z.nullish(z.number()),
  /** Name of the first flow that reported the artifact; empty if none did. */
  pipeline: z.nullish(z.string()),
  deployments: z.nullish(z.array(z.unknown())),
  flows: z.nullish(
    z.array(z.looseObject({ flow_name: z.string(), deployments: z.nullish(z.array(z.unknown())) })),
  ),
  artifact_compliance: z.nullish(z.boolean()),
  snapshot_compliance: z.nullish(z.boolean()),
  /** `started-compliant`, `started-non-compliant`, `changed`, `scaled`, `updated-provenance` or `exited`. */
  type: z.string(),
  /** Address of the code changes at the code host. */
  code_diff: z.nullish(z.string()),
  _links: z.nullish(z.looseObject({ artifact: links, snapshot: links })),
});
export type EnvironmentEvent = Camel<z.infer<typeof environmentEvent>>;

/**
 * Lists the artifacts that started, stopped or changed in the environment, newest first unless `reverse` is set. The headers
 * `X-Total-Count`, `X-Total-Pages`, `X-Current-Page`, `X-Per-Page` and `Link` describe the page.
 *
 * @example
 * const { body } = await client.listEnvironmentEvents({ envName: "prod", from: "2026-01-01", perPage: 100 });
 */
export const listEnvironmentEvents = defineOperation({
  ...readsEnvironment,
  name: "listEnvironmentEvents",
  summary: "List environment events",
  route: "GET /environments/{org}/{env_name}/events",
  params: z.object({ env_name: reference }),
  query: z.object({
    ...pageOf(itemsPerPage, 15),
    reverse: z._default(z.boolean(), false),
    /** Names of repositories: lists only artifacts built from them. */
    repo_name: z.optional(z.array(shortText)),
    /** Deprecated: `5..10`, or `5` for 5 to now. Overrides `start` and `end`. An empty text has no effect. */
    interval: z.optional(shortText),
    /** First snapshot: a number (negative from the end), `NOW`, or an age such as `2days`. */
    start: z._default(shortText, "1"),
    /** Last snapshot, in the form of `start`. */
    end: z._default(shortText, "NOW"),
    /** Start, inclusive, in Unix seconds or ISO 8601 (UTC without a zone). */
    from: z.optional(shortText),
    /** End, exclusive, in Unix seconds or ISO 8601 (UTC without a zone). */
    to: z.optional(shortText),
    /** Start, inclusive, in Unix seconds with an optional fraction. Overrides `start`. */
    start_ts: z.optional(z.number()),
    /** End, exclusive, in Unix seconds with an optional fraction. Overrides `end`. */
    end_ts: z.optional(z.number()),
  }),
  responses: { 200: z.array(environmentEvent) },
  errors: { 404: "No such environment or repository" },
});

/** Returns the events of the environment as CSV, oldest first, one per line. */
export const getEnvironmentAuditLog = defineOperation({
  ...readsEnvironment,
  name: "getEnvironmentAuditLog",
  summary: "Download environment events",
  route: "GET /environments/{org}/{env_name}/auditlog",
  heavy: true,
  params: z.object({ env_name: reference }),
  query: z.object({
    /** Start, in Unix seconds, inclusive. */
    from_timestamp: z.optional(z.number()),
    /** End, in Unix seconds, inclusive. */
    to_timestamp: z.optional(z.number()),
    /** Event types, comma-separated: `started`, `exited`, `changed`. */
    event_types: z.optional(longText),
    /** Names of flows, comma-separated; `no provenance` for artifacts that no flow reported. */
    flow_names: z.optional(longText),
    /** Names of repositories, comma-separated. */
    repo_names: z.optional(longText),
  }),
  responses: { 200: fileAnswer },
  errors: { 404: "No such environment or repository" },
});

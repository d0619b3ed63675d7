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
  /** `2 instances started running (from 0 to 2)` */
  description: z.nullish(z.string()),
  /** Unix seconds. */
  reported_at: z.nullish(z.number()),
  /** The first of its flows; empty when nobody knows where it was built. */
  pipeline: z.nullish(z.string()),
  deployments: z.nullish(z.array(z.unknown())),
  flows: z.nullish(
    z.array(z.looseObject({ flow_name: z.string(), deployments: z.nullish(z.array(z.unknown())) })),
  ),
  artifact_compliance: z.nullish(z.boolean()),
  snapshot_compliance: z.nullish(z.boolean()),
  /** `started-compliant`, `started-non-compliant`, `changed`, `scaled`, `updated-provenance`, `exited` */
  type: z.string(),
  /** Where to see what changed in the code. */
  code_diff: z.nullish(z.string()),
  _links: z.nullish(z.looseObject({ artifact: links, snapshot: links })),
});
export type EnvironmentEvent = Camel<z.infer<typeof environmentEvent>>;

/**
 * Lists what started, stopped or changed in the environment, newest first unless `reverse` is set. The headers
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
    /** Only artifacts that were built from these repositories. */
    repo_name: z.optional(z.array(shortText)),
    /** Deprecated: `5..10`, or `5` for 5 to now. Given, `start` and `end` are ignored; empty counts as not given. */
    interval: z.optional(shortText),
    /** A snapshot number, counted from the end when negative; `NOW`; or how long ago: `2days`. */
    start: z._default(shortText, "1"),
    end: z._default(shortText, "NOW"),
    /** Unix seconds or ISO 8601, UTC without a zone. Events at this time are in the list. */
    from: z.optional(shortText),
    /** Likewise; events at this time are not in the list. */
    to: z.optional(shortText),
    /** `from` in Unix seconds, which may have a fraction. Given, `start` is ignored. */
    start_ts: z.optional(z.number()),
    /** `to` likewise. Given, `end` is ignored. */
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
    /** Unix seconds. Events at this time are in the log. */
    from_timestamp: z.optional(z.number()),
    /** Likewise. */
    to_timestamp: z.optional(z.number()),
    /** Any of `started`, `exited`, `changed`, comma separated. */
    event_types: z.optional(longText),
    /** Comma separated; `no provenance` for what nobody here has built. */
    flow_names: z.optional(longText),
    /** Comma separated. */
    repo_names: z.optional(longText),
  }),
  responses: { 200: fileAnswer },
  errors: { 404: "No such environment or repository" },
});

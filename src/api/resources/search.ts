import * as z from "zod/mini";
import { shaPrefix } from "../names.ts";
import { defineOperation } from "../operation.ts";
import { itemsPerPage, pageOf } from "../paging.ts";

const matches = z.looseObject({
  type: z.nullish(z.string()),
  count: z.nullish(z.int()),
  matches: z.nullish(z.array(z.string())),
});

/** Finds artifacts by fingerprint or commit SHA, or by the first five or more characters of either. */
export const searchSha = defineOperation({
  name: "searchSha",
  summary: "Search by fingerprint or commit",
  route: "GET /search/{org}/sha/{search_value}",
  access: "read",
  reach: { list: {} },
  heavy: false,
  params: z.object({ search_value: shaPrefix }),
  responses: {
    200: z.looseObject({
      resolved_to: z.nullish(
        z.looseObject({
          /** `fingerprint`, `commit`, or `multiple` for several matches. */
          type: z.nullish(z.string()),
          /** The complete matching value; null for several matches. */
          full_match: z.nullish(z.string()),
          fingerprints: z.nullish(matches),
          commits: z.nullish(matches),
        }),
      ),
      /** Artifacts, newest first. */
      artifacts: z.array(
        z.looseObject({
          fingerprint: z.string(),
          name: z.string(),
          has_provenance: z.boolean(),
          git_commit: z.nullish(z.string()),
          flow: z.nullish(z.string()),
          trail: z.nullish(z.string()),
          template_reference_name: z.nullish(z.string()),
          build_url: z.nullish(z.string()),
          commit_url: z.nullish(z.string()),
          compliance_state: z.nullish(z.string()),
          /** Names of environments in which it runs. */
          running_in: z.array(z.string()),
          exited_from: z.array(z.string()),
          html_url: z.nullish(z.string()),
          api_url: z.nullish(z.string()),
          history: z.array(z.unknown()),
        }),
      ),
    }),
  },
  errors: { 404: "Nothing starts with this value" },
});

/** Kinds of results, in the order of the response. */
export const SEARCH_KINDS = [
  "trail",
  "artifact",
  "attestation",
  "flow",
  "environment",
  "repo",
  "control",
  "policy",
] as const;

/** Names of qualifiers in a query. */
export const QUALIFIERS = ["flow", "is", "jira", "author", "after", "before", "env", "branch"] as const;

/** Maximum length of a query, in characters. */
const MAX_QUERY = 500;

const result = z.looseObject({
  kind: z.enum(SEARCH_KINDS),
  /** Name, or the identifier of a control. */
  name: z.string(),
  /** `COMPLIANT`, `NON-COMPLIANT`, `INCOMPLETE` or `ARCHIVED`. */
  state: z.nullish(z.string()),
  /** First line of the commit message, or the name of a control. */
  subject: z.nullish(z.string()),
  flow: z.nullish(z.string()),
  /** Trail of an artifact or attestation. */
  trail: z.nullish(z.string()),
  fingerprint: z.nullish(z.string()),
  /** SHA of the commit. */
  commit: z.nullish(z.string()),
  author: z.nullish(z.string()),
  /** Branch of the commit. */
  branch: z.nullish(z.string()),
  /** Unix seconds: creation, or the latest activity of a flow, environment or repository. */
  time: z.nullish(z.number()),
  html_url: z.string(),
  /** Texts that match the words of the query. */
  matched: z.array(
    z.looseObject({
      /** Kind of the text, such as `subject` or `pull request`. */
      field: z.string(),
      text: z.string(),
    }),
  ),
});

/**
 * Finds records by what people remember: names, commits, subjects, authors, branches, issues, pull requests and tags. A
 * record must have all words of the query, each at the start of a word. Text in quotes must match exactly.
 *
 * With qualifiers, only trails and artifacts are searched: `flow:web`, `is:non-compliant` (or `is:failing`),
 * `is:compliant` (or `is:passing`), `is:incomplete`, `jira:PAY-123`, `author:octocat`, `branch:main`, `env:production`
 * for what runs there, and `after:2026-01-31` and `before:2026-02-28` for their creation in UTC.
 */
export const search = defineOperation({
  name: "search",
  summary: "Search all records",
  route: "GET /search/{org}",
  access: "read",
  reach: { list: {} },
  heavy: false,
  query: z.object({
    /** Words and qualifiers: `release 1.2.3 is:failing`. */
    q: z.string().check(z.minLength(1), z.maxLength(MAX_QUERY)),
    /** Only results of this kind. */
    kind: z.optional(z.enum(SEARCH_KINDS)),
    ...pageOf(itemsPerPage, 20),
  }),
  responses: {
    200: z.looseObject({
      /** Qualifiers of the query, in order. `text` is the part of the query. */
      qualifiers: z.array(z.looseObject({ name: z.enum(QUALIFIERS), value: z.string(), text: z.string() })),
      /** Kinds with results, or that may have some among older records. The page applies to each kind. */
      groups: z.array(
        z.looseObject({
          kind: z.enum(SEARCH_KINDS),
          /** Number of results, at most 500. */
          total: z.int(),
          /** Whether there may be more results than `total`. */
          more: z.boolean(),
          /** Newest first; flows and other names alphabetically. */
          results: z.array(result),
        }),
      ),
      page: z.int(),
      per_page: z.int(),
    }),
  },
});

import * as z from "zod/mini";

/*
 * A spool is a folder with a folder for each submission:
 *
 *   20261121T203533123Z-000000-5f0c7a1e/
 *     submission.json   the request
 *     files/0, files/1  its files, in the order they are sent
 *     recorded.json     exists once the service has confirmed that it is on record
 *
 * Files have numbers for names because workflow artifacts do not allow every name. A spool contains no headers, so
 * nothing in it authorizes a request.
 */

/** Changes with the format, so that older programs ignore it. */
export const FORMAT = "delivery-evidence-spool/1";

export const SUBMISSION_FILE = "submission.json";
export const FILES_FOLDER = "files";
export const RECORDED_FILE = "recorded.json";

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const submissionFile = z.strictObject({
  format: z.literal(FORMAT),
  id: z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  operation: z.string(),
  org: z.string().check(z.minLength(1)),
  host: z.string(),
  submitted_at: z.iso.datetime(),
  run_url: z.nullable(z.string()),
  /** Absent in spools of earlier versions. */
  made_by: z.optional(z.record(z.string(), z.string())),
  params: z.record(z.string(), z.string()),
  /** JSON as text, since a parser could round its numbers. */
  body: z.string(),
  files: z.array(
    z.strictObject({
      part: z.string(),
      name: z.string(),
      media_type: z.string(),
      size: z.int().check(z.minimum(0)),
      sha256,
    }),
  ),
});

export type SubmissionFile = z.infer<typeof submissionFile>;
export type SpooledFile = SubmissionFile["files"][number];

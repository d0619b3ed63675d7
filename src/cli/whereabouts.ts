import { existsSync } from "node:fs";
import type { Whereabouts } from "../service/ops/backup/original.ts";
import type { PlaceSettings } from "../service/store/blobs/open-place.ts";
import { attachmentsFrom } from "./attachments-option.ts";
import { DATABASE_OPTIONS, databaseFrom } from "./database-options.ts";
import { type Environment, given, UsageError } from "./usage.ts";

/** The options that say where records and their attachments are, as `serve` has them. */
export const WHEREABOUTS_OPTIONS = {
  data: { type: "string" },
  ...DATABASE_OPTIONS,
  attachments: { type: "string" },
  "allow-http": { type: "boolean" },
} as const;

type Values = {
  readonly [Name in Exclude<keyof typeof WHEREABOUTS_OPTIONS, "allow-http">]?: string | undefined;
} & {
  readonly "allow-http"?: boolean | undefined;
};

/**
 * Where records and attachments are, or are to be.
 *
 * @throws {UsageError} when it is not said
 */
export async function whereaboutsFrom(values: Values, environment: Environment): Promise<Whereabouts> {
  const dataFolder = values.data ?? given(environment, "EVIDENCE_DATA");
  const database = await databaseFrom(values, environment);
  const attachments = values.attachments ?? given(environment, "EVIDENCE_ATTACHMENTS");
  const attachmentsAt = await attachmentsFrom(attachments, environment, values["allow-http"] ?? false);
  if (database === undefined && !dataFolder) {
    throw new UsageError(
      "Say where the records are: --data DIR or EVIDENCE_DATA, or --database-url and --attachments",
    );
  }
  if (attachmentsAt === undefined && !dataFolder) {
    throw new UsageError(
      "Say where the attachments are: --attachments DIR or s3://bucket/prefix, or --data DIR",
    );
  }
  return {
    ...(dataFolder ? { dataFolder } : {}),
    ...(database === undefined ? {} : { database }),
    ...(attachmentsAt === undefined ? {} : { attachmentsAt }),
  };
}

/** What `--from` and `--to` can name: a folder, a bucket or a database. */
export type Named =
  | { readonly kind: "folder"; readonly folder: string }
  | { readonly kind: "bucket"; readonly at: Extract<PlaceSettings, { bucket: unknown }> }
  | { readonly kind: "database"; readonly url: string };

/** @throws {UsageError} */
export async function namedPlace(text: string, environment: Environment, allowHttp = false): Promise<Named> {
  if (/^postgres(?:ql)?:/i.test(text)) return { kind: "database", url: text };
  const place = await attachmentsFrom(text, environment, allowHttp);
  if (place === undefined || "folder" in place) return { kind: "folder", folder: text };
  return { kind: "bucket", at: place };
}

/** @throws {UsageError} when a folder is not there */
export function requireFolder(folder: string): void {
  if (!existsSync(folder)) throw new UsageError(`There is no folder ${folder}`);
}

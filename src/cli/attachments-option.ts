import type { PlaceSettings } from "../service/store/blobs/open-place.ts";
import { type Environment, UsageError } from "./usage.ts";

/**
 * Where attachments are to be kept: a folder or `s3://bucket/prefix`. Nothing when nobody said.
 *
 * @param allowHttp whether a bucket on another machine may be asked without TLS
 * @throws {UsageError}
 */
export async function attachmentsFrom(
  text: string | undefined,
  environment: Environment,
  allowHttp: boolean,
): Promise<PlaceSettings | undefined> {
  if (text === undefined) return undefined;
  if (text === "")
    throw new UsageError("Attachments need a folder or s3://bucket/prefix: --attachments is empty");
  const [, scheme] = /^([a-z0-9]+):\/\//i.exec(text) ?? [];
  if (scheme === undefined) {
    if (!/^s3:/i.test(text)) return { folder: text };
    throw new UsageError(
      `'${text}' lacks a slash: write s3://bucket/prefix for a bucket, or ./${text} for a folder of that name`,
    );
  }
  if (scheme !== "s3") {
    throw new UsageError(`'${text}' cannot keep attachments: a folder and s3://bucket/prefix can`);
  }
  const { bucketAddress } = await import("../service/store/blobs/bucket/address.ts");
  try {
    return { bucket: bucketAddress(text, environment, allowHttp), environment };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

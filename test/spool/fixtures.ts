import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, connect } from "../../src/api/client/connection.ts";
import type { ConnectionOptions } from "../../src/api/client/connection-options.ts";
import { prepare } from "../../src/api/client/prepared.ts";
import type { FileToSend } from "../../src/api/files.ts";
import type { OperationShape } from "../../src/api/operation.ts";
import { attestGeneric } from "../../src/api/resources/generic-attestation.ts";
import { MARK, type Submission } from "../../src/spool/submission.ts";

export const ORG = "acme";

/** A connection that never waits between attempts. */
export function connectTo(
  baseUrl: string,
  apiKey: string,
  options: Partial<ConnectionOptions> = {},
): Connection {
  return connect({ baseUrl, apiKey, org: ORG, retries: 0, pause: async () => {}, ...options });
}

export function fileOf(name: string, content: string, type = "text/plain"): FileToSend {
  return { name, content: new Blob([content], { type }) };
}

export function sha256(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

export interface Sample {
  readonly operation?: OperationShape;
  readonly flow?: string;
  readonly trail?: string;
  readonly files?: readonly FileToSend[];
  readonly submittedAt?: Date;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A submission as a step would spool it: marked with its own id. */
export async function sampleSubmission(connection: Connection, sample: Sample): Promise<Submission> {
  const { operation = attestGeneric, flow = "web", trail = "t1", files = [], body } = sample;
  const id = crypto.randomUUID();
  const request = {
    flowName: flow,
    trailName: trail,
    body: { ...body, annotations: { [MARK]: id } },
    ...(files.length > 0 && { files: { attachmentFile: files } }),
  };
  return {
    id,
    operation,
    org: connection.org,
    host: new URL(connection.baseUrl).host,
    submittedAt: sample.submittedAt ?? new Date(),
    runUrl: "https://github.com/acme/web/actions/runs/77",
    madeBy: { repository: "acme/web", run_id: "77" },
    prepared: await prepare(connection, operation, request),
  };
}

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), "spool-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

import { type BundleRun, runBundle, runHere } from "../bundle-run.ts";
import { recordingServer } from "../recording-server.ts";
import { annotationsIn } from "../sent-attestations.ts";
import type { CloudInternet } from "./cloud-internet.ts";

/** Digests of images, in hex. */
export const [A, B, C, D] = ["a", "b", "c", "d"].map((digit) => digit.repeat(64)) as [
  string,
  string,
  string,
  string,
];
const CREATED = { status: 201, body: "Report processed successfully, snapshot #1 created" };

type Texts = Readonly<Record<string, string>>;

export interface Reported {
  readonly run: BundleRun;
  /** Body of the report; undefined if nothing was sent. */
  readonly body: { readonly artifacts: readonly Readonly<Record<string, unknown>>[] } | undefined;
}

/** Reports what runs in a cloud to a service that accepts it. By default, no process starts. */
export async function reportCloud(
  cloud: CloudInternet,
  { inputs, env, files = {} }: { inputs: Texts; env: Texts; files?: Texts },
  by: typeof runBundle = runHere,
): Promise<Reported> {
  await using server = await recordingServer([CREATED]);
  const run = await by("report-env", {
    server,
    inputs: { environment: "prod", timeout: "20", ...inputs },
    env: { ...cloud.env, ...env },
    files,
  });
  const [sent] = server.requests;
  return { run, body: sent && JSON.parse(sent.slice(sent.indexOf("\n\n") + 2)) };
}

/** Reports by the real bundle. */
export const reportByBundle: typeof reportCloud = (cloud, call) => reportCloud(cloud, call, runBundle);

export const errorOf = ({ run }: Reported) => annotationsIn(run.stdout, "error").join("\n");
export const warningsOf = ({ run }: Reported) => annotationsIn(run.stdout, "warning");

import { reportS3 } from "../../../api/resources/reports.ts";
import { beginsWith, readBucket } from "../../../clouds/aws/s3.ts";
import { artifactsIn, type ReadRunning } from "../running-artifacts.ts";
import { selectBy } from "../selection.ts";
import { readAws } from "./aws.ts";

export const readObjects: ReadRunning = async (target, context) => {
  const selection = selectBy(target, { things: "objects", isMeant: beginsWith });
  const { bucket = "", isGone } = target;
  const entry = isGone
    ? undefined
    : await readAws(target, context, (aws) => readBucket(aws, bucket, selection));
  const entries = entry === undefined ? [] : [entry];
  const artifacts = artifactsIn(entries, () => bucket);
  return {
    count: entries.length,
    things: "artifacts",
    artifacts: () => artifacts,
    table: {
      columns: ["Artifact", "Fingerprint"],
      rows: artifacts.map(({ name, fingerprint }) => [name, fingerprint]),
      most: 15,
    },
    report: (call, envName) => call(reportS3, { envName, body: { type: "S3", artifacts: entries } }),
  };
};

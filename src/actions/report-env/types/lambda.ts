import { reportLambda } from "../../../api/resources/reports.ts";
import { Aws } from "../../../clouds/aws/aws.ts";
import { readLambda } from "../../../clouds/aws/lambda.ts";
import type { ReadRunning } from "../running-artifacts.ts";
import { selectBy } from "../selection.ts";
import { readCloud } from "./clouds.ts";

export const readFunctions: ReadRunning = async (target, context) => {
  const selection = selectBy(target, { things: "functions" });
  const entries = await readCloud(context, "aws-role", async (options) => {
    await using aws = new Aws(options, target);
    return readLambda(aws, selection);
  });
  const artifacts = entries.flatMap(({ digests, creationTimestamp: since }) =>
    Object.entries(digests).map(([name, fingerprint]) => ({ name, fingerprint, workload: name, since })),
  );
  return {
    count: entries.length,
    things: "functions",
    artifacts: () => artifacts,
    table: {
      columns: ["Function", "Fingerprint"],
      rows: artifacts.map(({ name, fingerprint }) => [name, fingerprint]),
      most: 15,
    },
    report: (call, envName) => call(reportLambda, { envName, body: { type: "lambda", artifacts: entries } }),
  };
};

import { reportLambda } from "../../../api/resources/reports.ts";
import { readLambda } from "../../../clouds/aws/lambda.ts";
import { artifactsIn, type ReadRunning } from "../running-artifacts.ts";
import { selectBy } from "../selection.ts";
import { readAws } from "./aws.ts";

export const readFunctions: ReadRunning = async (target, context) => {
  const selection = selectBy(target, { things: "functions" });
  const entries = target.isGone ? [] : await readAws(target, context, (aws) => readLambda(aws, selection));
  const artifacts = artifactsIn(entries, (_, name) => name);
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

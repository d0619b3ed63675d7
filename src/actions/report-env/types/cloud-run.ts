import { reportCloudRun } from "../../../api/resources/reports.ts";
import { readCloudRun } from "../../../clouds/google/cloud-run.ts";
import { Google } from "../../../clouds/google/google.ts";
import { PROVIDER_INPUT } from "../../../clouds/google/login.ts";
import { artifactsIn, type ReadRunning } from "../running-artifacts.ts";
import { selectBy } from "../selection.ts";
import { readCloud } from "./clouds.ts";

export const readRun: ReadRunning = async (target, context) => {
  const selection = selectBy(target, { things: "services and jobs" });
  const { googleProject: project = "", googleRegion: region = "", resolveNames } = target;
  const entries = await readCloud(context, PROVIDER_INPUT, async (options) => {
    await using google = new Google(options, target);
    return await readCloudRun(google, { project, region, selection, resolveNames });
  });
  const artifacts = artifactsIn(entries, ({ serviceName, jobName }) => serviceName ?? jobName ?? "");
  return {
    count: entries.length,
    things: "workloads",
    artifacts: () => artifacts,
    table: {
      columns: ["Service or job", "Image", "Fingerprint"],
      rows: artifacts.map(({ workload, name, fingerprint }) => [workload, name, fingerprint || "unknown"]),
      most: 15,
    },
    report: (call, envName) =>
      call(reportCloudRun, { envName, body: { type: "cloud-run", artifacts: entries } }),
  };
};

import { reportAzureApps } from "../../../api/resources/reports.ts";
import { readApps } from "../../../clouds/azure/apps.ts";
import { Azure } from "../../../clouds/azure/azure.ts";
import { CLIENT_INPUT } from "../../../clouds/azure/login.ts";
import { artifactsIn, type ReadRunning } from "../running-artifacts.ts";
import { selectBy } from "../selection.ts";
import { readCloud } from "./clouds.ts";

export const readAzureApps: ReadRunning = async (target, context) => {
  const selection = selectBy(target, { things: "apps" });
  const entries = await readCloud(context, CLIENT_INPUT, async (options) => {
    await using azure = new Azure(options, target);
    return await readApps(azure, { selection, digests: target.azureDigests });
  });
  const artifacts = artifactsIn(entries, ({ appName }) => appName);
  return {
    count: entries.length,
    things: "apps",
    artifacts: () => artifacts,
    table: {
      columns: ["App", "Image or content", "Fingerprint"],
      rows: artifacts.map(({ workload, name, fingerprint }) => [workload, name, fingerprint || "unknown"]),
      most: 15,
    },
    report: (call, envName) =>
      call(reportAzureApps, { envName, body: { type: "azure-apps", artifacts: entries } }),
  };
};

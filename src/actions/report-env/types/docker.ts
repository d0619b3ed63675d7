import { reportDocker } from "../../../api/resources/reports.ts";
import { readContainers } from "../../../evidence/docker/running-containers.ts";
import type { ReadWhatRuns } from "../what-runs.ts";

export const readDocker: ReadWhatRuns = async (_, { runner, signal, warn }) => {
  const entries = await readContainers({ env: runner.childEnv, signal, onWarning: warn });
  const counts = new Map<string, number>();
  for (const { digests } of entries) {
    for (const image of Object.keys(digests)) counts.set(image, (counts.get(image) ?? 0) + 1);
  }
  const rows = [...counts].sort().map(([image, count]) => [image, String(count)]);
  return {
    count: entries.length,
    things: "containers",
    artifacts: () =>
      entries.flatMap(({ digests, creationTimestamp: since }) =>
        // Docker reports the image in place of the container's name.
        Object.entries(digests).map(([name, fingerprint]) => ({ name, fingerprint, workload: "", since })),
      ),
    table: { columns: ["Image", "Containers"], rows, most: 15 },
    report: (call, envName) => call(reportDocker, { envName, body: { type: "docker", artifacts: entries } }),
  };
};

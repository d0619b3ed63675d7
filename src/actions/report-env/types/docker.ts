import { reportDocker } from "../../../api/resources/reports.ts";
import { readContainers } from "../../../evidence/docker/running-containers.ts";
import { artifactsIn, type ReadRunning } from "../running-artifacts.ts";

export const readDocker: ReadRunning = async (_, { runner, signal, warn }) => {
  const entries = await readContainers({ env: runner.childEnv, signal, onWarning: warn });
  const images = entries.flatMap(({ digests }) => Object.keys(digests)).sort();
  const counts = Map.groupBy(images, (image) => image);
  const rows = [...counts].map(([image, { length }]) => [image, String(length)]);
  return {
    count: entries.length,
    things: "containers",
    // Docker reports the image in place of the container's name.
    artifacts: () => artifactsIn(entries, () => ""),
    table: { columns: ["Image", "Containers"], rows, most: 15 },
    report: (call, envName) => call(reportDocker, { envName, body: { type: "docker", artifacts: entries } }),
  };
};

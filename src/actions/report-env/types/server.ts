import { reportServer } from "../../../api/resources/reports.ts";
import { readServer } from "../../../evidence/server/read-server.ts";
import type { ReadRunning } from "../running-artifacts.ts";

export const readServerPaths: ReadRunning = async (
  { paths, exclude, allowEmpty },
  { runner, signal, warn },
) => {
  const root = runner.workspace ?? process.cwd();
  const request = { lines: paths, root, exclude, mayBeMissing: allowEmpty, signal, onWarning: warn };
  const artifacts = await readServer(request);
  return {
    count: artifacts.length,
    things: "paths",
    artifacts: () =>
      artifacts.map(({ name, fingerprint, entry }) => ({
        name,
        fingerprint,
        workload: "",
        since: entry.creationTimestamp,
      })),
    table: {
      columns: ["Artifact", "Fingerprint"],
      rows: artifacts.map(({ name, fingerprint }) => [name, fingerprint]),
      most: 15,
    },
    report: (call, envName) => {
      const body = { type: "server" as const, artifacts: artifacts.map(({ entry }) => entry) };
      return call(reportServer, { envName, body });
    },
  };
};

import { reportECS, type TaskEntry } from "../../../api/resources/reports.ts";
import { readEcs } from "../../../clouds/aws/ecs.ts";
import { selectNames } from "../../../evidence/name-selection.ts";
import { artifactsIn, type ReadRunning } from "../running-artifacts.ts";
import { selectBy } from "../selection.ts";
import type { Target } from "../target.ts";
import { readAws } from "./aws.ts";

export const readTasks: ReadRunning = async (target, context) => {
  const selection = selectionOf(target);
  const entries = target.isGone ? [] : await readAws(target, context, (aws) => readEcs(aws, selection));
  return {
    count: entries.length,
    things: "tasks",
    artifacts: () => artifactsIn(entries, workloadOf),
    table: { columns: ["Cluster", "Service", "Tasks"], rows: tasksByService(entries), most: 15 },
    report: (call, envName) => call(reportECS, { envName, body: { type: "ECS", artifacts: entries } }),
  };
};

/** With services by name, a task that no service started is not meant. */
function selectionOf(target: Target) {
  const clusters = selectBy(target, { things: "clusters" });
  const services = selectNames(
    {
      include: ["services", target.services],
      includeRegex: ["services-regex", target.servicesRegex],
      exclude: ["exclude-services", target.excludeServices],
      excludeRegex: ["exclude-services-regex", target.excludeServicesRegex],
    },
    { things: "services" },
  );
  const named = target.services.length + target.servicesRegex.length;
  return { clusters, services, standaloneTasks: target.standaloneTasks && named === 0 };
}

function tasksByService(entries: readonly TaskEntry[]): string[][] {
  const groups = Map.groupBy(entries, (task) => `${task.clusterName}/${task.serviceName ?? ""}`);
  return [...groups.values()].map((tasks) => [
    tasks[0]?.clusterName ?? "",
    tasks[0]?.serviceName ?? "",
    String(tasks.length),
  ]);
}

/** A task without a service is named by its cluster only. */
function workloadOf({ clusterName, serviceName }: TaskEntry): string {
  return [clusterName, serviceName].filter(Boolean).join("-");
}

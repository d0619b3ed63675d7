import { parentPort } from "node:worker_threads";

/** Makes the thread that calls it perform the tasks that its `TaskThread` is given, one at a time. */
export function serveTasks<Task, Result>(perform: (task: Task) => Result | Promise<Result>): void {
  parentPort?.on("message", async (task: Task) => parentPort?.postMessage(await perform(task)));
  parentPort?.postMessage("ready");
}

import { parentPort } from "node:worker_threads";

/** Makes the calling thread perform the tasks of its `TaskThread`, one at a time. */
export function serveTasks<Task, Result>(perform: (task: Task) => Result | Promise<Result>): void {
  parentPort?.on("message", async (task: Task) => parentPort?.postMessage(await perform(task)));
  parentPort?.postMessage("ready");
}

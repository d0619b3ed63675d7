import { serveTasks } from "../../../../src/service/kernel/threads/serve-tasks.ts";

/** Tasks of the thread in these tests. */
export type BusyTask =
  /** Works until it is terminated. */
  | { does: "spin" }
  /** Uses this much processor time, in milliseconds. */
  | { does: "work"; ms: number }
  /** Uses no processor time, in milliseconds. */
  | { does: "wait"; ms: number }
  | { does: "fill memory" }
  | { does: "fail" }
  | { does: "answer"; with: string };

const nothing = new Int32Array(new SharedArrayBuffer(4));

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

serveTasks((task: BusyTask): string => {
  switch (task.does) {
    case "spin":
      for (;;);
    case "work": {
      const before = threadCpuMs();
      while (threadCpuMs() - before < task.ms);
      return "worked";
    }
    case "wait":
      Atomics.wait(nothing, 0, 0, task.ms);
      return "waited";
    case "fill memory": {
      // In small pieces: the heap limit of a thread is not a safe end for one large allocation.
      let filled: unknown;
      for (;;) filled = { filled };
    }
    case "fail":
      throw new TypeError("a mistake of our own");
    case "answer":
      return task.with;
  }
});

import { serveTasks } from "../../../src/service/threads/serve-tasks.ts";

/** What the thread of these tests does. */
export type BusyTask =
  /** Works until it is ended. */
  | { does: "spin" }
  /** Uses no processor time, in milliseconds. */
  | { does: "wait"; ms: number }
  | { does: "fill memory" }
  | { does: "fail" }
  | { does: "answer"; with: string };

const nothing = new Int32Array(new SharedArrayBuffer(4));

serveTasks((task: BusyTask): string => {
  switch (task.does) {
    case "spin":
      for (;;);
    case "wait":
      Atomics.wait(nothing, 0, 0, task.ms);
      return "waited";
    case "fill memory": {
      const filled: unknown[] = [];
      for (;;) filled.push(new Array(1_000).fill(filled.length));
    }
    case "fail":
      throw new TypeError("a mistake of our own");
    case "answer":
      return task.with;
  }
});

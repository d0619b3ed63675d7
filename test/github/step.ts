/* A standalone program like a bundle: a small action whose behavior the first argument selects. */
import { createFlow } from "../../src/api/resources/flows.ts";
import { type ActionContext, defineAction } from "../../src/github/step/action.ts";
import { flag, required } from "../../src/github/step/input.ts";
import { runAction } from "../../src/github/step/run.ts";

const [scenario = "succeed"] = process.argv.slice(2);
const outputs = { status: "Outcome.", detail: "More of it." };
const done = { outputs: { status: "recorded", detail: "first\nsecond" } };

function record(context: ActionContext) {
  return context.call(createFlow, { body: { name: "web", description: "", template: ["a"] } });
}

const behaviours: Record<string, (context: ActionContext) => Promise<typeof done>> = {
  async succeed() {
    return done;
  },
  async record(context) {
    const reply = await record(context);
    return { outputs: { status: reply ? String(reply.status) : "dry-run", detail: "" } };
  },
  async summarize() {
    return { ...done, summary: { heading: "Done", mark: "passed", columns: ["a"], rows: [["b"]] } };
  },
  async recordAndSummarize(context) {
    const { outputs } = await (behaviours["record"]?.(context) ?? done);
    return { outputs, summary: { heading: "Done", mark: "passed", columns: ["a"], rows: [["b"]] } };
  },
  async closeGate() {
    return { ...done, failure: { title: "Shut", text: "The gate\n::stop-commands::x stays shut" } };
  },
  async throwUnexpectedly() {
    throw new TypeError("odd\n::error::injected", { cause: new Error("deeper") });
  },
  async throwText() {
    throw "just a text";
  },
  async faultElsewhere() {
    setTimeout(() => {
      throw new RangeError("in a timer");
    }, 5);
    return new Promise(() => setInterval(() => {}, 1000));
  },
  async rejectElsewhere() {
    void Promise.reject(new RangeError("no handler exists"));
    return new Promise(() => setInterval(() => {}, 1000));
  },
  async neverSettle() {
    return new Promise(() => {});
  },
  async waitForever() {
    process.stdout.write("waiting\n");
    return new Promise(() => setInterval(() => {}, 1000));
  },
  async print(context) {
    context.info("##[error]info");
    context.warn("::add-mask::warned");
    return done;
  },
};

await runAction(
  defineAction({
    name: "step",
    title: "Step",
    description: "For tests.",
    inputs: {
      flow: required({ description: "d" }),
      strict: flag({ description: "d", default: "false" }),
    },
    outputs,
    unknown: { status: "failed" },
    check: (values) =>
      values.strict ? { problems: [{ input: "strict", problem: "excludes everything" }] } : { values },
    async run(_, context) {
      const behaviour = behaviours[scenario];
      if (!behaviour) throw new Error(`no scenario ${scenario}`);
      return behaviour(context);
    },
  }),
);

// Each would keep the process alive for some seconds.
const sockets = process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap");
process.stdout.write(`${sockets.length} connections are open\n`);

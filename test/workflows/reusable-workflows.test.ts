import { describe, expect, test } from "vitest";
import { fillTemplate } from "../../scripts/composite/expressions.ts";
import { newestRelease } from "../../scripts/release/newest-release.ts";
import { actions, root } from "../../src/actions/actions.ts";
import { allInputs } from "../../src/github/step/action.ts";
import { callProblems } from "./calls.ts";
import { exampleWorkflows, yamlBlocks } from "./examples.ts";
import { problemsOf } from "./github-parser.ts";
import { isPinned } from "./pinned.ts";
import {
  callOf,
  type NamedText,
  REPOSITORY,
  readWorkflow,
  requiredPermissions,
  workflowFiles,
} from "./workflow-files.ts";

const examples = exampleWorkflows("docs/reusable-workflows.md");
const reusable = workflowFiles.filter((file) => callOf(readWorkflow(file)) !== undefined);
/**
 * Its jobs inherit the caller's permissions, since a caller with a key need not grant those that keyless callers
 * must.
 */
const takesTokens = (file: NamedText) => callOf(readWorkflow(file))?.inputs?.["trust-policy"] !== undefined;
const offered = reusable.filter(({ name }) => !/\/(?:ci|self-test)\.yml$/.test(name));

/** A file under a name that vitest shows. */
const named = (files: readonly NamedText[]) => files.map((file) => [file.name, file] as const);

describe.each(named([...workflowFiles, ...examples]))("%s", (_, file) => {
  test("is valid for GitHub's parser, with its calls of other workflows", async () => {
    expect(await problemsOf(file)).toEqual([]);
  });

  test("passes the right types and permissions to its workflows, and uses existing outputs", () => {
    expect(callProblems(file)).toEqual([]);
  });

  test("sets only inputs that our actions have", () => {
    expect(unknownInputs(file)).toEqual([]);
  });

  test("begins with no permissions, or with those of its caller", () => {
    expect(readWorkflow(file).permissions).toEqual(takesTokens(file) ? undefined : {});
  });

  test("explains each permission in a comment", () => {
    const permission =
      /^ +(?:# {3})?(?:actions|attestations|checks|contents|deployments|id-token|issues|packages|pull-requests): (?:read|write)(.*)$/gm;
    const reasons = [...file.text.matchAll(permission)].map(([, reason = ""]) => reason);
    expect(reasons.filter((reason) => !/^ # \S/.test(reason))).toEqual([]);
  });

  test("pins third-party actions by a full commit with the version in a comment", () => {
    const foreign = [
      ...file.text.matchAll(/^\s*(?:- )?uses: (?!\$\/\w|\$\/\.github\/|\.\/ # zizmor: ignore)(.*)$/gm),
    ].map(([, uses = ""]) => uses);
    expect(foreign.filter((uses) => !isPinned(uses))).toEqual([]);
  });
});

test("the page of reusable workflows calls every callable workflow", () => {
  const called = (path: string) =>
    examples.some(({ text }) => text.includes(`uses: ${REPOSITORY}/${path}@${newestRelease.commit}`));
  expect(offered.length).toBeGreaterThan(0);
  expect(offered.map(({ name }) => name).filter((name) => !called(name))).toEqual([]);
});

test("the self-test uses every action, and calls every callable workflow", () => {
  const selfTest = workflowFiles.find(({ name }) => name.endsWith("/self-test.yml"))?.text ?? "";
  const paths = [
    ...actions.map(({ name }) => `$/actions/${name}`),
    ...offered.map(({ name }) => `$/${name}`),
  ];
  expect(["./ ", ...paths].filter((uses) => !`${selfTest}\n`.includes(`uses: ${uses}`))).toEqual([]);
});

test("a pull request gets no key and no service, even from a branch of this repository", () => {
  const ci = workflowFiles.find(({ name }) => name.endsWith("/ci.yml"))?.text ?? "";
  const uses = [...ci.matchAll(/: (\$\{\{.*(?:secrets\.|vars\.EVIDENCE_BASE_URL).*\}\})$/gm)];
  const given = (event_name: string) =>
    uses.map(([, expression = ""]) =>
      fillTemplate(expression, {
        contexts: {
          github: { event_name, event: { pull_request: { head: { repo: { fork: false } } } } },
          secrets: { EVIDENCE_API_KEY: "key" },
          vars: { EVIDENCE_BASE_URL: "url" },
        },
      }),
    );
  expect(given("push")).toEqual(["url", "key"]);
  expect(given("pull_request")).toEqual(["", ""]);
});

test("every YAML block of that page can be parsed", () => {
  expect(yamlBlocks("docs/reusable-workflows.md").length).toBeGreaterThan(examples.length);
});

describe.each(named(offered))("%s, called", (_, file) => {
  const workflow = readWorkflow(file);
  const { inputs = {}, secrets = {}, outputs = {} } = callOf(workflow) ?? {};

  test("describes every input, and has a default for each optional one", () => {
    for (const [name, input] of Object.entries(inputs)) {
      expect(input.description, name).not.toBe("");
      expect(input.required === true, name).toBe(input.default === undefined);
    }
  });

  test("accepts a key if it calls the service, and requires it where no token can replace it", () => {
    // Our actions call the service, as do steps with an input for its address.
    const callsService = /uses: \$\/actions\/|inputs\.base-url/.test(file.text);
    expect(secrets["api-key"]?.required).toBe(callsService ? !takesTokens(file) : undefined);
  });

  test("requires the token that replaces the key only of callers without one", () => {
    const token = { scope: "id-token", level: "write", only: { name: "api-key", given: false } };
    const required = requiredPermissions(file).filter(({ scope }) => scope === "id-token");
    expect(required).toEqual(takesTokens(file) ? Object.values(workflow.jobs).map(() => token) : []);
  });

  test("accepts no secret that it does not use", () => {
    const used = new Set([...file.text.matchAll(/secrets\.([\w-]+)/g)].map(([, name]) => name));
    expect(used).toEqual(new Set(Object.keys(secrets)));
  });

  test("uses every input, and no other", () => {
    const body = file.text.slice(file.text.indexOf("\njobs:"));
    const used = new Set([...body.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name));
    expect(used).toEqual(new Set(Object.keys(inputs)));
  });

  test("takes its outputs from outputs of its jobs", () => {
    for (const [name, { value }] of Object.entries(outputs)) {
      const [, id = "", output = ""] = /^\$\{\{ jobs\.([\w-]+)\.outputs\.([\w-]+)/.exec(value) ?? [];
      expect(Object.keys(workflow.jobs[id]?.outputs ?? {}), name).toContain(output);
    }
  });

  test("has timeouts, never runs twice for the same, and sets each job's permissions", () => {
    expect(workflow.concurrency).toMatchObject({ "cancel-in-progress": false });
    for (const [id, job] of Object.entries(workflow.jobs)) {
      expect(job["timeout-minutes"], id).toBeLessThanOrEqual(30);
      expect(job.permissions !== undefined, id).toBe(!takesTokens(file));
    }
  });

  test("has no expression in a script, and refers to our actions at its own commit only", () => {
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps ?? []);
    expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([]);
    expect(file.text).not.toContain(`uses: ${REPOSITORY}`);
    expect(file.text).not.toContain("uses: ./");
  });
});

/** The inputs in `with:` of a step that our action does not have. */
function unknownInputs(file: NamedText): string[] {
  const steps = Object.values(readWorkflow(file).jobs).flatMap((job) => job.steps ?? []);
  return steps.flatMap(({ uses = "", with: given = {} }) => {
    const path = uses.startsWith(REPOSITORY) ? uses.slice(REPOSITORY.length).replace(/@.*$/, "") : uses;
    const [, name] = /^\$?\/(?:actions\/([\w-]+))?$/.exec(path) ?? [];
    const isOurs = uses.startsWith(REPOSITORY) || uses.startsWith("$/");
    if (!isOurs) return [];
    const action = name === undefined ? root : actions.find((one) => one.name === name);
    if (action === undefined) return [`${uses} is no action of ours`];
    const known = allInputs(action);
    return Object.keys(given)
      .filter((input) => !(input in known))
      .map((input) => `${uses} has no input ${input}`);
  });
}

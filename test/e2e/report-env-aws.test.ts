import { hash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Account, answerOf, SESSION } from "../clouds/aws/fake-account.ts";
import { type FakeRequest, fakeAws, KEYS, REGION } from "../clouds/aws/fake-aws.ts";
import { DIGEST, web } from "../clouds/aws/fake-ecs.ts";
import { type RunnerEndpoint, startRunnerEndpoint } from "../identity/runner-endpoint.ts";
import { startJob } from "./workspace.ts";

const ROLE = "arn:aws:iam::123456789012:role/evidence";
const ARN = `arn:aws:lambda:${REGION}:123456789012`;

let job: Awaited<ReturnType<typeof startJob>>;
let runner: RunnerEndpoint;
let account: Account;
let url = "";
let asked: readonly FakeRequest[] = [];
beforeAll(async () => {
  job = await startJob();
  runner = await startRunnerEndpoint();
});
afterAll(async () => {
  await runner.close();
  await job[Symbol.asyncDispose]();
});
beforeEach(async () => {
  account = {
    tasks: [web("1"), { id: "2", cluster: "batch" }],
    functions: ["api", "thumbs"],
    content: { "index.html": "<p>", "js/app.js": "1" },
    tags: { "arn:aws:s3:::site": { "evidence:environment": "website" } },
    broken: [],
  };
  ({ url, asked } = await fakeAws((request) => answerOf(account, request), { keys: [KEYS, SESSION] }));
});

/** Reports as a step of a job that has logged in to AWS with a key. */
function report(inputs: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const login = { AWS_ACCESS_KEY_ID: KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey };
  const variables = { AWS_ENDPOINT_URL: url, AWS_REGION: REGION, ...login, ...env };
  return job.step("report-env", inputs, {}, undefined, variables);
}

async function runningIn(envName: string) {
  const { body } = await job.client.getSnapshot({ envName, snapshotExpression: "-1" });
  const running = body.artifacts.filter(({ annotation }) => annotation?.type !== "exited");
  const artifacts = running.map(({ name, fingerprint }) => [name, fingerprint]);
  return { type: body.type, artifacts: artifacts.sort() };
}

describe("the types of AWS", () => {
  test("ECS reports the images of running tasks", async () => {
    const inputs = { type: "ecs", environment: "tasks", "create-environment": "true" };
    const run = await report({ ...inputs, include: "shop" });
    expect(run.outputs, run.log).toMatchObject({ status: "recorded", "pod-count": "1" });
    expect(await runningIn("tasks")).toEqual({ type: "ECS", artifacts: [["reg/web:1", DIGEST]] });
    expect(run.summary).toContain("| shop | web | 1 |");
  });

  test("S3 reports the content of a bucket", async () => {
    const inputs = { type: "S3", environment: "site", "create-environment": "true", bucket: "site" };
    const run = await report({ ...inputs, include: "js/" });
    expect(run.outcome, run.log).toBe("success");
    expect(await runningIn("site")).toEqual({ type: "S3", artifacts: [["app.js", hash("sha256", "1")]] });
  });

  test("lambda needs no key with a role, and masks what it gets before anything else", async () => {
    const inputs = { type: "lambda", environment: "functions", "create-environment": "true" };
    const tokens = runner.job((audience) => `token-for-${audience}`);
    const run = await report(
      { ...inputs, "aws-role": ROLE },
      { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "", ...tokens },
    );
    expect(run.outcome, run.log).toBe("success");
    expect(await runningIn("functions")).toEqual({
      type: "lambda",
      artifacts: [
        ["api", DIGEST],
        ["thumbs", DIGEST],
      ],
    });
    expect(runner.audiences).toEqual(["sts.amazonaws.com"]);
    expect(new URLSearchParams(asked[0]?.body.toString()).get("WebIdentityToken")).toBe(
      "token-for-sts.amazonaws.com",
    );
  });

  test.each([
    ["ecs", { type: "ECS" }, "Allow ecs:ListClusters in the policy of this login."],
    ["lambda", { type: "lambda" }, "Allow lambda:ListFunctions in the policy of this login."],
    ["s3", { type: "S3", bucket: "site" }, "answered 400"],
  ])("report nothing if %s refuses", async (service, inputs, message) => {
    account.broken = [service];
    const run = await report({ ...inputs, environment: `refused-${service}`, "create-environment": "true" });
    expect(run.outcome).toBe("failure");
    expect(run.annotations.map((each) => each.message)).toEqual([
      expect.stringContaining(message),
      "Process completed with exit code 1.",
    ]);
    await expect(job.client.getEnvironment({ envName: `refused-${service}` })).rejects.toThrow();
  });

  test.each([
    [{ type: "S3" }, "bucket: is required for type: S3"],
    [{ type: "lambda", bucket: "b" }, "bucket: is not used by type: lambda"],
    [{ type: "lambda", "include-regex": "(" }, "include-regex: '(' is not a regular expression"],
    [
      { type: "ECS", services: "a", "exclude-services": "b" },
      "services: cannot be used with exclude-services",
    ],
    [{ type: "lambda", include: "none" }, "allow-empty: is false, and no function was found to report"],
    [{ type: "lambda", "aws-role": ROLE }, "aws-role: needs the identity of the job"],
  ])("refuse wrong inputs: %j", async (inputs, message) => {
    const run = await report({ environment: "wrong", ...inputs });
    expect(run.outcome).toBe("failure");
    // A name that does not exist is also a warning.
    expect(run.annotations.map((each) => each.message)).toContainEqual(expect.stringContaining(message));
    // Only the content tells that nothing has this name.
    expect(asked).toHaveLength("include" in inputs ? 1 : 0);
  });
});

describe("discovery of AWS", () => {
  const discover = (inputs: Readonly<Record<string, string>> = {}) => report({ discover: "aws", ...inputs });
  const named = (run: Awaited<ReturnType<typeof report>>) =>
    JSON.parse(run.outputs["results"] ?? "[]").map(
      ({ environment, status }: Record<string, string>) => `${environment}: ${status}`,
    );

  test("reports clusters, functions and tagged buckets, each as its own environment", async () => {
    account.tags[`${ARN}:function:thumbs`] = { "evidence:ignore": "" };
    const run = await discover();
    expect(run.outcome, run.log).toBe("success");
    expect(named(run).sort()).toEqual([
      "123456789012-ecs-batch: recorded",
      "123456789012-ecs-shop: recorded",
      `123456789012-lambda-${REGION}: recorded`,
      "website: recorded",
    ]);
    expect((await runningIn(`123456789012-lambda-${REGION}`)).artifacts).toEqual([["api", DIGEST]]);
    expect((await runningIn("website")).type).toBe("S3");
    const { body } = await job.client.getEnvironment({ envName: "website" });
    expect(body.description).toBe(
      `Discovered in AWS account 123456789012, ${REGION}, as {account}-{type}-{name}`,
    );
  });

  test("reports an environment empty if its resource is gone, but not one that is ignored", async () => {
    const template = { "environment-template": "gone-{type}-{name}" };
    await discover(template);
    account.tasks = [{ id: "2", cluster: "batch" }];
    const gone = await discover(template);
    expect(named(gone)).toContain("gone-ecs-shop: recorded");
    expect((await runningIn("gone-ecs-shop")).artifacts).toEqual([]);
    account.tags[`arn:aws:ecs:${REGION}:123456789012:cluster/batch`] = { "evidence:ignore": "" };
    const ignored = await discover(template);
    expect(named(ignored)).not.toContain("gone-ecs-batch: recorded");
    expect((await runningIn("gone-ecs-batch")).artifacts).toHaveLength(1);
  });

  test("tells of a part that fails, reports the others, and takes nothing of it for gone", async () => {
    const template = { "environment-template": "part-{type}-{name}" };
    await discover(template);
    account.broken = ["ecs"];
    const run = await discover(template);
    expect(run.outcome).toBe("failure");
    expect(named(run).sort()).toEqual([": failed", `part-lambda-${REGION}: recorded`, "website: recorded"]);
    expect(run.annotations[0]?.message).toContain(`ECS in ${REGION}: AWS_ACCESS_KEY_ID: Amazon ecs`);
    expect((await runningIn("part-ecs-shop")).artifacts).toHaveLength(1);
    account.broken = ["tagging"];
    const untagged = await discover(template);
    expect(untagged.annotations[0]?.message).toContain(`ECS, Lambda, S3 in ${REGION}: `);
    expect(untagged.annotations[0]?.message).toContain("Allow tag:GetResources");
  });

  test("reports none of two resources with one name, and the others", async () => {
    account.tags[`arn:aws:ecs:${REGION}:123456789012:cluster/batch`] = { "evidence:environment": "my shop!" };
    account.tags[`arn:aws:ecs:${REGION}:123456789012:cluster/shop`] = { "evidence:environment": "my-shop-" };
    const run = await discover({ "environment-template": "two-{type}-{name}" });
    expect(run.outcome).toBe("failure");
    expect(run.annotations[0]?.message).toContain(
      `ECS cluster 'shop' in ${REGION} and ECS cluster 'batch' in ${REGION}: 'my-shop-' would be`,
    );
    expect(named(run)).toContain("website: recorded");
  });

  test("of an account without anything fails, because the region may be wrong", async () => {
    account = { ...account, tasks: [], functions: [], tags: {} };
    const run = await discover({ "environment-template": "none-{type}-{name}" });
    expect(run.annotations[0]?.message).toBe(
      `discover: found nothing to report in the account 123456789012 in ${REGION}\nCheck aws-region and aws-role. A bucket needs the tag evidence:environment.`,
    );
  });

  test("reads several regions, and groups functions by a tag", async () => {
    account = {
      ...account,
      tasks: [],
      tags: { [`${ARN}:function:api`]: { "evidence:environment": "apis" } },
    };
    const regions = {
      "aws-region": `${REGION}, us-east-1`,
      "environment-template": "{region}-{type}-{name}",
    };
    const run = await discover(regions);
    // Both regions of the fake have the same functions.
    expect(run.annotations[0]?.message).toContain("Lambda functions tagged 'apis' in us-east-1");
    expect(named(run).sort()).toEqual([
      ": failed",
      `${REGION}-lambda-${REGION}: recorded`,
      "us-east-1-lambda-us-east-1: recorded",
    ]);
    expect((await runningIn("us-east-1-lambda-us-east-1")).artifacts).toEqual([["thumbs", DIGEST]]);
  });

  test.each([
    [{ "environment-template": "{kind}-{name}" }, "environment-template: has {kind}; known are {account}"],
    [{ "environment-template": "{type}" }, "environment-template: must contain {name}"],
    [{ "aws-region": "here" }, "aws-region: 'here' is not a region of AWS"],
    [{ environment: "x" }, "environment: cannot be used with discover"],
    [{ bucket: "x" }, "bucket: cannot be used with discover"],
    [{ discover: "", "environment-template": "{name}" }, "environment-template: needs discover"],
  ])("refuses wrong inputs: %j", async (inputs, message) => {
    const run = await discover(inputs);
    expect(run.outcome).toBe("failure");
    expect(run.annotations[0]?.message).toContain(message);
  });
});

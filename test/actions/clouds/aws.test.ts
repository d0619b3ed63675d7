import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { answerOf } from "../../clouds/aws/fake-account.ts";
import { fakeAws, KEYS } from "../../clouds/aws/fake-aws.ts";
import { onDisk } from "../../clouds/aws/fake-bucket.ts";
import { web } from "../../clouds/aws/fake-ecs.ts";
import { A, reportByBundle } from "./report-cloud.ts";

const CONTENT = { "index.html": "<p>", "assets/a b & é.js": "1" };
const ACCOUNT = {
  tasks: [
    web("2"),
    { id: "1", cluster: "shop" },
    web("3", { containers: [{ name: "app", image: "reg/new:1" }] }),
  ],
  functions: ["shop-web", "shop-api"],
  content: CONTENT,
  tags: {},
  broken: [],
};
const TASK = "arn:aws:ecs:eu-central-1:123456789012:task/shop/";

/** Payloads of the public client for the same account, with sorted artifacts. It omits the type. */
const PAYLOADS = [
  [
    { type: "ECS" },
    `{"artifacts":[{"taskArn":"${TASK}1","cluster_name":"shop","digests":{"reg/web:1":"${A}"},"creationTimestamp":1795000000},{"taskArn":"${TASK}2","cluster_name":"shop","service_name":"web","digests":{"reg/web:1":"${A}"},"creationTimestamp":1795000000},{"taskArn":"${TASK}3","cluster_name":"shop","service_name":"web","digests":{"reg/new:1":""},"creationTimestamp":1795000000}]}`,
  ],
  [
    { type: "lambda" },
    `{"artifacts":[{"digests":{"shop-api":"${A}"},"creationTimestamp":1767323045},{"digests":{"shop-web":"${A}"},"creationTimestamp":1767323045}]}`,
  ],
  [
    { type: "S3", bucket: "site" },
    `{"artifacts":[{"digests":{"site":"DIRECTORY"},"creationTimestamp":1767323045}]}`,
  ],
  [
    { type: "S3", bucket: "site", include: "index" },
    `{"artifacts":[{"digests":{"index.html":"${hash("sha256", "<p>")}"},"creationTimestamp":1767323045}]}`,
  ],
] as const;

test.each(PAYLOADS)("%j sends the payload of the public client", async (inputs, payload) => {
  const { url } = await fakeAws((request) => answerOf(ACCOUNT, request));
  const env = {
    ...{ AWS_ENDPOINT_URL: url, AWS_REGION: "eu-central-1" },
    ...{ AWS_ACCESS_KEY_ID: KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey },
  };
  const { run, body } = await reportByBundle({ env: {}, requests: [], tunnels: () => 0 }, { inputs, env });
  expect(run.status, run.stdout).toBe(0);
  const { type, ...sent } = { type: undefined, ...body };
  expect(JSON.stringify(sent)).toBe(payload.replace("DIRECTORY", await onDisk(CONTENT)));
  expect(type).toBe(inputs.type);
});

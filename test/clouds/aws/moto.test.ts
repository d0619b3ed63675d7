import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountOf, discoverRegion } from "../../../src/clouds/aws/discover.ts";
import { readEcs } from "../../../src/clouds/aws/ecs.ts";
import { readLambda } from "../../../src/clouds/aws/lambda.ts";
import { readBucket } from "../../../src/clouds/aws/s3.ts";
import { accessTo, names } from "./fake-aws.ts";
import { onDisk } from "./fake-bucket.ts";

/** A Python with the packages of `moto-requirements.txt`, which the gate installs where it finds Python. */
const python = process.env["MOTO_PYTHON"];

/** Content of moto, as its script prints it. */
interface Facts {
  readonly url: string;
  readonly role: string;
  readonly content: Readonly<Record<string, string>>;
  /** Sha256 of the package of its 51 functions, in hex. */
  readonly zip: string;
}

describe.skipIf(python === undefined)("moto, a server of others,", () => {
  let facts: Facts;
  let end: () => Promise<unknown>;
  beforeAll(async () => {
    const script = fileURLToPath(new URL("moto-server.py", import.meta.url));
    const server = spawn(python ?? "", [script], { stdio: ["pipe", "pipe", "ignore"] });
    end = () => {
      server.stdin.end();
      return once(server, "exit");
    };
    for await (const line of createInterface(server.stdout)) {
      if (!line.startsWith("{")) continue;
      facts = JSON.parse(line);
      break;
    }
  });
  afterAll(() => end());

  const identityToken = async () => `${Buffer.from("{}").toString("base64url")}.e30.x`;

  test("lists functions page by page, with the sha256 of their package", async () => {
    const { aws } = accessTo(facts.url);
    const entries = await readLambda(aws, names());
    expect(entries).toHaveLength(51);
    expect(new Set(entries.flatMap(({ digests }) => Object.values(digests)))).toEqual(new Set([facts.zip]));
    expect(entries.every(({ creationTimestamp }) => creationTimestamp > 1_700_000_000)).toBe(true);
  });

  test("gives credentials for a role", async () => {
    const login = { awsRole: facts.role };
    const { aws, masked } = accessTo(facts.url, { login, identityToken });
    expect(await readLambda(aws, names({ include: ["f1"] }))).toHaveLength(1);
    expect(masked).toHaveLength(3);
  });

  test("has the content of a bucket, whatever the characters of its keys", async () => {
    const { aws } = accessTo(facts.url);
    const entry = await readBucket(aws, "site", names());
    expect(entry?.digests).toEqual({ site: await onDisk(facts.content) });
    await expect(readBucket(aws, "nowhere", names())).rejects.toThrow(/404 NoSuchBucket/);
  });

  test("is discovered by its tags", async () => {
    const { aws } = accessTo(facts.url);
    expect(await accountOf(aws)).toBe("123456789012");
    const content = await discoverRegion(aws);
    expect(content.clusters).toEqual({ found: [{ name: "shop", tags: new Map() }] });
    expect(content.functions).toEqual({ found: { tagged: [], isEmpty: false } });
    expect(content.buckets).toEqual({
      found: [{ name: "site", tags: new Map([["evidence:environment", "website"]]) }],
    });
  });

  test("answers for an empty cluster, and refuses an unknown operation by its code", async () => {
    const { aws } = accessTo(facts.url);
    const all = { clusters: names(), services: names(), standaloneTasks: true };
    expect(await readEcs(aws, all)).toEqual([]);
    const headers = { "x-amz-target": "AmazonEC2ContainerServiceV20141113.ListTasks" };
    const unknown = { service: "ecs", right: "ecs:ListTasks", method: "POST", headers } as const;
    await expect(aws.ask({ ...unknown, json: { cluster: "none" } })).rejects.toThrow(
      /ClusterNotFoundException/,
    );
  });
});

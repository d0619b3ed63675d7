import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Credentials, cacheCredentials } from "../../../../../src/clouds/aws/credentials.ts";
import { bucketAddress } from "../../../../../src/service/store/blobs/bucket/address.ts";
import { openBucket } from "../../../../../src/service/store/blobs/bucket/bucket-place.ts";
import { BUCKET, KEYS, REGION, type S3Server, s3Server } from "./s3-server.ts";

const TEMPORARY = {
  accessKeyId: "ASIATEMPORARY",
  secretAccessKey: "temporary-secret",
  sessionToken: "session+/=",
};
const OWNER = { database: "d", place: "p" };
const JSON_ANSWER = JSON.stringify({
  Code: "Success",
  AccessKeyId: TEMPORARY.accessKeyId,
  SecretAccessKey: TEMPORARY.secretAccessKey,
  Token: TEMPORARY.sessionToken,
  Expiration: new Date(Date.now() + 3_600_000).toISOString(),
});

let store: S3Server;
let folder = "";
let requests: string[] = [];
/** A fake source of workload credentials. */
let metadata: { url: string; close(): Promise<void> };
let answer: (incoming: IncomingMessage, response: ServerResponse) => void | Promise<void>;
beforeEach(async () => {
  store = await s3Server();
  store.keys.splice(0, 1, TEMPORARY);
  folder = await mkdtemp(join(tmpdir(), "credentials-"));
  requests = [];
  const server = createServer((incoming, response) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    void answer(incoming, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  metadata = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
});
afterEach(async () => {
  await store.close();
  await metadata.close();
  await rm(folder, { recursive: true });
});

/** Writes and reads with the credentials that a service finds in these variables. */
async function useBucket(variables: Record<string, string>) {
  const environment = { AWS_ENDPOINT_URL_S3: store.url, AWS_REGION: REGION, ...variables };
  const place = openBucket({ address: bucketAddress(`s3://${BUCKET}`, environment, false), environment });
  try {
    expect(await Promise.all([1, 2, 3].map(() => place.owner.take(OWNER)))).toEqual([OWNER, OWNER, OWNER]);
  } finally {
    await place.close();
  }
}

describe("credentials are found", () => {
  it("in variables, with or without a session", async () => {
    store.keys.push(KEYS);
    const session = { AWS_SESSION_TOKEN: TEMPORARY.sessionToken };
    await useBucket({
      AWS_ACCESS_KEY_ID: TEMPORARY.accessKeyId,
      AWS_SECRET_ACCESS_KEY: TEMPORARY.secretAccessKey,
      ...session,
    });
    await useBucket({ AWS_ACCESS_KEY_ID: KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey });
    await expect(useBucket({ AWS_ACCESS_KEY_ID: KEYS.accessKeyId })).rejects.toThrow(
      "AWS_SECRET_ACCESS_KEY: is missing, although AWS_ACCESS_KEY_ID is set",
    );
  });

  it("by the token of a workload, requested once for all callers", async () => {
    const tokenFile = join(folder, "token");
    await writeFile(tokenFile, "the.token\n");
    answer = async (incoming, response) => {
      expect(Object.fromEntries(new URLSearchParams(await text(incoming)))).toEqual({
        Action: "AssumeRoleWithWebIdentity",
        Version: "2011-06-15",
        RoleArn: "arn:aws:iam::1:role/evidence",
        RoleSessionName: "delivery-evidence",
        WebIdentityToken: "the.token",
      });
      if (requests.length === 1) response.writeHead(500).end("<Error><Code>InternalFailure</Code></Error>");
      else {
        response.end(`<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>
          <AccessKeyId>${TEMPORARY.accessKeyId}</AccessKeyId>
          <SecretAccessKey>${TEMPORARY.secretAccessKey}</SecretAccessKey>
          <SessionToken>${TEMPORARY.sessionToken}</SessionToken>
          <Expiration>${new Date(Date.now() + 3_600_000).toISOString()}</Expiration>
        </Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`);
      }
    };
    await useBucket({
      AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
      AWS_ROLE_ARN: "arn:aws:iam::1:role/evidence",
      AWS_ENDPOINT_URL_STS: metadata.url,
    });
    expect(requests).toEqual(["POST /", "POST /"]);
  });

  it.each(["variable", "file"])("from the container, with its token in a %s", async (kind) => {
    await writeFile(join(folder, "token"), "Basic abc\n");
    answer = ({ headers }, response) => {
      response.writeHead(headers.authorization === "Basic abc" ? 200 : 401).end(JSON_ANSWER);
    };
    await useBucket({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${metadata.url}/v1/credentials`,
      ...(kind === "file"
        ? { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: join(folder, "token") }
        : { AWS_CONTAINER_AUTHORIZATION_TOKEN: "Basic abc" }),
    });
    expect(requests).toEqual(["GET /v1/credentials"]);
  });

  it("from the instance, by a separate session", async () => {
    answer = ({ method, headers, url }, response) => {
      if (method === "PUT") response.end("session-1");
      else if (headers["x-aws-ec2-metadata-token"] !== "session-1") response.writeHead(401).end();
      else response.end(url?.endsWith("/") ? "evidence-role\n" : JSON_ANSWER);
    };
    await useBucket({ AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url });
    expect(requests).toEqual([
      "PUT /latest/api/token",
      "GET /latest/meta-data/iam/security-credentials/",
      "GET /latest/meta-data/iam/security-credentials/evidence-role",
    ]);
  });
});

describe("missing credentials are explained", () => {
  it("when the token service refuses, without the token", async () => {
    await writeFile(join(folder, "token"), "the.token");
    answer = (_, response) => {
      response
        .writeHead(403)
        .end("<Error><Code>AccessDenied</Code><Message>Not authorized</Message></Error>");
    };
    const variables = {
      AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, "token"),
      AWS_ROLE_ARN: "arn:aws:iam::1:role/evidence",
      AWS_ENDPOINT_URL_STS: metadata.url,
    };
    await expect(useBucket(variables)).rejects.toThrow(
      /^the security token service answered 403 AccessDenied$/,
    );
  });

  it("when no source has any, with the next step", async () => {
    await expect(useBucket({ AWS_EC2_METADATA_DISABLED: "true" })).rejects.toThrow(
      "there are no other credentials for the bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
    answer = (_, response) => {
      response.writeHead(404).end();
    };
    await expect(useBucket({ AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url })).rejects.toThrow(
      "or give the workload, container or instance a role (the instance's metadata service answered 404)",
    );
  });

  it("when they would come without TLS from another machine, or are invalid", async () => {
    await expect(
      useBucket({ AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://credentials.example.org/v1" }),
    ).rejects.toThrow(
      "AWS_CONTAINER_CREDENTIALS_FULL_URI: must be an https:// address or one of this machine",
    );
    for (const elsewhere of ["//credentials.example.org/v1", "http://credentials.example.org/v1"])
      await expect(useBucket({ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: elsewhere })).rejects.toThrow(
        `AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: must be a path, not '${elsewhere}'`,
      );
    answer = (_, response) => {
      response.end('{"SecretAccessKey": "half-a-secret"');
    };
    const failed = await useBucket({ AWS_CONTAINER_CREDENTIALS_FULL_URI: metadata.url }).catch(
      (error: Error) => error,
    );
    expect(String(failed)).toContain("the container's source of credentials sent invalid JSON");
    expect(JSON.stringify(failed)).not.toContain("half-a-secret");
  });
});

it("credentials are renewed before they expire, once for all, and used until then if renewal fails", async () => {
  let time = 0;
  let renewals = 0;
  let fails = false;
  const minute = 60_000;
  const source = async (): Promise<Credentials> => {
    renewals++;
    await Promise.resolve();
    if (fails) throw new Error("no luck");
    return { ...TEMPORARY, accessKeyId: `key ${renewals}`, expiresAt: time + 60 * minute };
  };
  const cached = cacheCredentials(source, () => time);
  const ids = async () =>
    (await Promise.all([cached.current(), cached.current(), cached.current()])).map(
      ({ accessKeyId }) => accessKeyId,
    );
  expect(await ids()).toEqual(["key 1", "key 1", "key 1"]);
  time = 54 * minute;
  expect(await ids()).toEqual(["key 1", "key 1", "key 1"]);
  time = 56 * minute;
  expect(await ids()).toEqual(["key 2", "key 2", "key 2"]);
  fails = true;
  time += 59 * minute;
  expect(await ids()).toEqual(["key 2", "key 2", "key 2"]);
  time += 2 * minute;
  await expect(cached.current()).rejects.toThrow("no luck");
});

it("credentials that a store calls expired are renewed at once", async () => {
  answer = (_, response) => {
    response.end(JSON_ANSWER);
  };
  store.fail("PUT", { kind: "status", status: 400, code: "ExpiredToken" });
  const environment = {
    AWS_ENDPOINT_URL_S3: store.url,
    AWS_REGION: REGION,
    AWS_CONTAINER_CREDENTIALS_FULL_URI: metadata.url,
  };
  const place = openBucket({ address: bucketAddress(`s3://${BUCKET}`, environment, false), environment });
  await place.checkWritable();
  expect(requests).toHaveLength(2);
  await place.close();
});

import { createHmac, hash } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { signed } from "../../../src/clouds/aws/signed.ts";

afterEach(() => vi.useRealTimers());

/** Key of the examples in Amazon's documentation. */
const credentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

function authorization(address: string, service = "s3", more: Readonly<Record<string, string>> = {}) {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2013-05-24T00:00:00Z") });
  const request = { method: "GET", url: new URL(address), headers: more } as const;
  return signed(request, { credentials, service, region: "us-east-1" }).headers["authorization"];
}

test.each([
  ["?lifecycle", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"],
  ["?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"],
])("Amazon's example %s has Amazon's signature", (query, signature) => {
  expect(authorization(`https://examplebucket.s3.amazonaws.com/${query}`)).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=${signature}`,
  );
});

test("Amazon's example of an object with another header has Amazon's signature", () => {
  expect(
    authorization("https://examplebucket.s3.amazonaws.com/test.txt", "s3", { range: "bytes=0-9" }),
  ).toMatch(
    /SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41$/,
  );
});

test("parameters are signed in the order of their names, and the order of the request is irrelevant", () => {
  const [one, other] = ["?a-b=1&a=2&a=1", "?a=1&a=2&a-b=1"].map((query) =>
    authorization(`https://examplebucket.s3.amazonaws.com/${query}`),
  );
  expect(one).toBe(other);
});

test("services other than S3 expect the path encoded twice", () => {
  const canonical = [
    ...["GET", "/a%2520b", ""],
    ...["host:lambda.us-east-1.amazonaws.com", `x-amz-content-sha256:${hash("sha256", "")}`],
    ...["x-amz-date:20130524T000000Z", "", "host;x-amz-content-sha256;x-amz-date", hash("sha256", "")],
  ].join("\n");
  const scope = "20130524/us-east-1/lambda/aws4_request";
  const text = ["AWS4-HMAC-SHA256", "20130524T000000Z", scope, hash("sha256", canonical)].join("\n");
  const hmac = (key: Buffer, each: string) => createHmac("sha256", key).update(each).digest();
  const key = scope.split("/").reduce(hmac, Buffer.from(`AWS4${credentials.secretAccessKey}`));
  expect(authorization("https://lambda.us-east-1.amazonaws.com/a%20b", "lambda")).toContain(
    `Signature=${hmac(key, text).toString("hex")}`,
  );
});

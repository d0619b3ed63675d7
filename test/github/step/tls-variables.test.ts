import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tlsWarnings } from "../../../src/github/step/tls-variables.ts";
import { tempFolder } from "../runners.ts";

test("harmless variables cause no warning", () => {
  const path = join(tempFolder(), "ca.pem");
  writeFileSync(path, "# ours\n-----BEGIN CERTIFICATE-----\n");
  expect(tlsWarnings({})).toEqual([]);
  expect(tlsWarnings({ NODE_EXTRA_CA_CERTS: path, NODE_TLS_REJECT_UNAUTHORIZED: "1" })).toEqual([]);
  expect(tlsWarnings({ NODE_EXTRA_CA_CERTS: "", NODE_TLS_REJECT_UNAUTHORIZED: "" })).toEqual([]);
});

test("disabled certificate checks and an unusable certificate file cause a warning", () => {
  const folder = tempFolder();
  const path = join(folder, "ca.der");
  writeFileSync(path, "0\u0082");
  expect(tlsWarnings({ NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_EXTRA_CA_CERTS: `${folder}/none` })).toEqual([
    expect.stringContaining("NODE_TLS_REJECT_UNAUTHORIZED is 0"),
    `NODE_EXTRA_CA_CERTS has no effect: ${folder}/none does not exist`,
  ]);
  expect(tlsWarnings({ NODE_EXTRA_CA_CERTS: path })).toEqual([
    `NODE_EXTRA_CA_CERTS has no effect: ${path} has no certificate in PEM`,
  ]);
});

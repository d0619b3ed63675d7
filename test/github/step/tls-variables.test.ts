import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tlsWarnings } from "../../../src/github/step/tls-variables.ts";
import { tempFolder } from "../runners.ts";

test("variables that take nothing away are not spoken of", () => {
  const path = join(tempFolder(), "ca.pem");
  writeFileSync(path, "# ours\n-----BEGIN CERTIFICATE-----\n");
  expect(tlsWarnings({})).toEqual([]);
  expect(tlsWarnings({ NODE_EXTRA_CA_CERTS: path, NODE_TLS_REJECT_UNAUTHORIZED: "1" })).toEqual([]);
  expect(tlsWarnings({ NODE_EXTRA_CA_CERTS: "", NODE_TLS_REJECT_UNAUTHORIZED: "" })).toEqual([]);
});

test("a check of certificates that is turned off is told, and a file of them that cannot be used", () => {
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

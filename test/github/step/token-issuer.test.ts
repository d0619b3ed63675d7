import { expect, test } from "vitest";
import { tokenIssuer } from "../../../src/github/step/token-issuer.ts";

test.each([
  ["https://github.com", "https://token.actions.githubusercontent.com"],
  ["https://acme.ghe.com", "https://token.actions.acme.ghe.com"],
  ["https://github.example.com", "https://github.example.com/_services/token"],
  ["https://acme.ghe.com.example.com", "https://acme.ghe.com.example.com/_services/token"],
])("the token issuer of workflow runs of %s", (server, issuer) => {
  expect(tokenIssuer(server)).toBe(issuer);
});

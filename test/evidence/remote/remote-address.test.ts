import { expect, test } from "vitest";
import { remoteAddress, remoteToken } from "../../../src/evidence/remote/remote-service.ts";

test.each([
  ["https://acme.example.com", false, "https://acme.example.com/"],
  ["https://acme.example.com/jira//", false, "https://acme.example.com/jira/"],
  ["http://127.0.0.1:9000", false, "http://127.0.0.1:9000/"],
  ["http://jira.internal", true, "http://jira.internal/"],
])("%s, with allow-http: %s, is %s", (text, allowHttp, address) => {
  expect(remoteAddress("jira-url", text, allowHttp).href).toBe(address);
});

test.each([
  ["jira.example", "must be a complete address such as https://acme.example.com"],
  ["file:///etc/passwd", "must be a complete address"],
  ["https://a\n.example", "must be a complete address"],
  ["https://bot:pw@jira.example", "must not contain a user or password"],
  ["https://jira.example/?os=1", "must not contain a query or fragment"],
  ["https://jira.example/#", "must not contain a query or fragment"],
  ["http://jira.example", "is http://, which would send the token unencrypted"],
])("'%s' is rejected", (text, problem) => {
  expect(() => remoteAddress("jira-url", text, false)).toThrow(`jira-url: ${problem}`);
});

test.each(["a b", "tökén", "token\u00a0", ""])("'%s' is not a token", (text) => {
  expect(() => remoteToken("jira-token", text)).toThrow("jira-token: must not contain blanks");
});

import { expect, test } from "vitest";
import { parse } from "yaml";
import { ADMISSION_PATH } from "../../src/service/http/admission.ts";
import { deploymentFile } from "./deployment-files.ts";

test("the object for a cluster asks about pods only, and cannot lock the cluster out", () => {
  const { apiVersion, kind, webhooks } = parse(deploymentFile("admission-webhook.yaml"));
  expect([apiVersion, kind, webhooks.length]).toEqual([
    "admissionregistration.k8s.io/v1",
    "ValidatingWebhookConfiguration",
    1,
  ]);
  const [{ clientConfig, rules, namespaceSelector, ...webhook }] = webhooks;
  const { pathname, search, username, protocol } = new URL(clientConfig.url);
  expect({ pathname, search, username, protocol }).toEqual({
    pathname: `/api/v2${ADMISSION_PATH.replace(":token", "TOKEN")}`,
    // The API server refuses both.
    ...{ search: "", username: "", protocol: "https:" },
  });
  expect(rules).toMatchObject([
    { apiGroups: [""], operations: ["CREATE", "UPDATE"], resources: ["pods", "pods/ephemeralcontainers"] },
  ]);
  expect(namespaceSelector.matchExpressions[0].values).toContain("kube-system");
  expect(webhook).toMatchObject({
    ...{ admissionReviewVersions: ["v1"], failurePolicy: "Fail", timeoutSeconds: 10 },
    sideEffects: "NoneOnDryRun",
  });
});

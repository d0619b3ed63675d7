import { existsSync } from "node:fs";
import type { OperationShape } from "../../src/api/operation.ts";

/** Declared separately, because bundles load only this one of their resource. */
const DECLARED_APART: Readonly<Record<string, string>> = {
  artifacts: "artifact-report",
  attestations: "generic-attestation",
};

/**
 * The operations that must succeed in the test file of a resource: those of the file of its name in
 * `src/api/resources`.
 */
export async function operationsOf(resource: string): Promise<string[]> {
  const names = [resource, DECLARED_APART[resource] ?? resource];
  const files = [...new Set(names)].filter((name) =>
    existsSync(`${import.meta.dirname}/../../src/api/resources/${name}.ts`),
  );
  const modules: object[] = await Promise.all(
    files.map((name) => import(`../../src/api/resources/${name}.ts`)),
  );
  return modules
    .flatMap((module) => Object.values<OperationShape | undefined>({ ...module }))
    .flatMap((each) => (each && typeof each === "object" && "responses" in each ? [each.name] : []));
}

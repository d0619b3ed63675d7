import { type NameSelection, selectNames } from "../evidence/name-selection.ts";

/** Includes or excludes namespaces, never both; all by default. */
export interface NamespaceInputs {
  namespaces?: readonly string[];
  namespacesRegex?: readonly string[];
  excludeNamespaces?: readonly string[];
  excludeNamespacesRegex?: readonly string[];
}

/** With `exactly`, the pods of each namespace need a separate request. */
export type NamespaceSelection = NameSelection;

/** A DNS label. */
const NAMESPACE = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** @throws {InputError} naming every wrong input */
export function selectNamespaces(inputs: NamespaceInputs): NamespaceSelection {
  return selectNames(
    {
      include: ["namespaces", inputs.namespaces ?? []],
      includeRegex: ["namespaces-regex", inputs.namespacesRegex ?? []],
      exclude: ["exclude-namespaces", inputs.excludeNamespaces ?? []],
      excludeRegex: ["exclude-namespaces-regex", inputs.excludeNamespacesRegex ?? []],
    },
    {
      things: "namespaces",
      problemOf: (name) => (NAMESPACE.test(name) ? undefined : `'${name}' is not a valid namespace name`),
    },
  );
}

import { asObject, asObjects, asText, type Untyped } from "../../api/untyped.ts";
import type { Named, Sbom } from "./sbom.ts";

export function describeCycloneDx(bom: Untyped): Sbom | undefined {
  if (bom["bomFormat"] !== "CycloneDX") return undefined;
  const metadata = asObject(bom["metadata"]);
  return {
    format: "CycloneDX",
    serialization: "JSON",
    specVersion: asText(bom["specVersion"]),
    tools: toolsIn(metadata["tools"]),
    components: countComponents(bom),
    subject: namedIn(asObject(metadata["component"])),
    id: asText(bom["serialNumber"]),
  };
}

/** A list until version 1.4, since then also an object of components and services. */
function toolsIn(tools: unknown): Named[] {
  const { components, services } = asObject(tools);
  return [...asObjects(tools), ...asObjects(components), ...asObjects(services)].map(namedIn);
}

function namedIn({ name, version }: Untyped): Named {
  return { name: asText(name), version: asText(version) };
}

/** Components may hold components, as deep as the text may nest. */
function countComponents(bom: Untyped): number {
  let count = 0;
  const open = [...asObjects(bom["components"])];
  for (let component = open.pop(); component !== undefined; component = open.pop()) {
    count += 1;
    for (const inner of asObjects(component["components"])) open.push(inner);
  }
  return count;
}

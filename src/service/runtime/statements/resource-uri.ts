import { fieldsIn, fieldsOf } from "../../kernel/json-column.ts";

interface Report {
  readonly filename: string;
  readonly fingerprint: string;
  /** JSON. */
  readonly details: string;
}

/** Address from which consumers fetch an artifact: its link with the label `artifact`, or its image without tag. */
export function resourceUri({ filename, fingerprint, details }: Report): string {
  const { artifact } = fieldsIn(fieldsOf(details)["external_urls"]);
  const { href = artifact } = fieldsIn(artifact);
  if (typeof href === "string" && href !== "") return href;
  const image = filename.replace(/@sha256:[a-f0-9]{64}$/, "").replace(/:[\w.-]+$/, "");
  if (/^[\w.-]+(?::\d+)?(?:\/[\w.-]+)+$/.test(image)) return image;
  return `pkg:generic/${encodeURIComponent(filename)}?checksum=sha256:${fingerprint}`;
}

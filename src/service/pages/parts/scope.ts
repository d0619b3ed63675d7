import type { PageRequest } from "../page.ts";
import { invalidField } from "../refused-form.ts";
import { choice, field } from "./form.ts";
import { type Html, html } from "./html.ts";

interface Scoped {
  readonly flows?: readonly string[] | null | undefined;
  readonly environments?: readonly string[] | null | undefined;
}

/** Fields for the flows and environments of a right. */
export function scopeFields(
  { flows, environments }: Scoped,
  reach: "all" | "named" | undefined,
  request: PageRequest,
): Html {
  return html`${choice(
    {
      name: "reach",
      label: "Scope",
      value: reach,
      options: [
        ["named", "Only these flows and environments"],
        ["all", "All flows and environments"],
      ],
    },
    request,
  )}
${field({ name: "flows", label: "Flows", value: flows?.join(", ") ?? "", hint: "web, api" }, request)}
${field({ name: "environments", label: "Environments", value: environments?.join(", ") ?? "", hint: "production, staging" }, request)}`;
}

/** An empty field never grants everything. @throws Invalid */
export function scopeIn(sent: URLSearchParams): { flows: string[] | null; environments: string[] | null } {
  if (sent.get("reach") === "all") return { flows: null, environments: null };
  const named = (name: string) =>
    (sent.get(name) ?? "")
      .split(",")
      .map((each) => each.trim())
      .filter(Boolean);
  const [flows, environments] = [named("flows"), named("environments")];
  if (flows.length + environments.length === 0)
    throw invalidField("flows", "List flows or environments, or select all of them");
  return { flows, environments };
}

/** The scope of a right: `flows web, api; environments prod`. */
export function scopeOf({ flows, environments }: Scoped): string {
  if (!flows && !environments) return "everything";
  const named = [
    flows?.length ? `flows ${flows.join(", ")}` : "",
    environments?.length ? `environments ${environments.join(", ")}` : "",
  ];
  return named.filter(Boolean).join("; ") || "nothing";
}

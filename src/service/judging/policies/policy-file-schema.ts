import * as z from "zod/mini";
import { flowName } from "../../../api/names.ts";
import { slotType } from "../compliance/template.ts";
import { DECIDED_BY } from "./decided-by.ts";

/** Matches only the delimiters, because the parser checks the content. */
const ENCLOSED = "^\\s*\\$\\{\\{[\\s\\S]*\\}\\}\\s*$";

const expression = z.string().check(
  z.meta({
    pattern: ENCLOSED,
    description:
      "A condition on the flow or the artifact, such as ${{ flow.name == 'web' }}. A pattern, as in ${{ matches(artifact.name, '^web:') }}, has RE2 syntax, and at most 1,000 characters and 2,000 states.",
  }),
);

const exceptions = z
  .array(z.strictObject({ if: expression }))
  .check(z.meta({ description: "The rule does not apply if one of these conditions is true." }));

const booleanFields = {
  required: z._default(z.boolean(), false),
  exceptions: z._default(z.nullish(exceptions), []),
};

const provenance = z
  .strictObject({
    ...booleanFields,
    must_meet: z.nullish(
      expression.check(
        z.meta({
          description:
            "A further condition that the artifact's report must meet, such as ${{ artifact.origin == 'verified' }} or ${{ artifact.claims.ref == 'refs/heads/main' }}.",
        }),
      ),
    ),
  })
  .check(z.meta({ description: "Each artifact comes from a flow." }));

const trailCompliance = z
  .strictObject(booleanFields)
  .check(z.meta({ description: "Each artifact is compliant in its trail." }));

const attestationRule = z
  .strictObject({
    type: slotType.check(z.meta({ description: "The kind of attestation; * for any." })),
    name: z._default(
      z
        .string()
        .check(
          z.regex(/^(\*|[a-zA-Z0-9\-_,]+)$/),
          z.meta({ description: "The name of the attestation; * for any." }),
        ),
      "*",
    ),
    if: z.nullish(expression),
    must_be_compliant: z._default(z.boolean(), true),
    must_meet: z.nullish(
      expression.check(
        z.meta({
          description:
            "A further condition that the attestation must meet, such as a condition on its proven origin or its user data: ${{ attestation.origin == 'verified' }}, ${{ attestation.claims.environment == 'production' }} or ${{ attestation.user_data.review.four_eyes == 'true' }}.",
        }),
      ),
    ),
    for_control: z.nullish(
      z
        .string()
        .check(z.minLength(1), z.meta({ description: "The control that the decision must be about." })),
    ),
    decided_by: z.nullish(
      z.string().check(
        z.regex(DECIDED_BY),
        z.maxLength(300),
        z.meta({
          description:
            "The decision policy by which the service must have evaluated the decision, as IDENTIFIER, or IDENTIFIER@VERSION for one version. Other decisions do not count.",
        }),
      ),
    ),
  })
  .check(
    z.refine(({ type, name }) => type !== "*" || name !== "*", {
      path: ["type"],
      error: "Name and type should not both be '*'",
    }),
    z.refine(({ type, for_control }) => for_control == null || type === "decision", {
      path: ["for_control"],
      error: "Only the type 'decision' can be for a control",
    }),
    z.refine(({ for_control, decided_by }) => decided_by == null || for_control != null, {
      path: ["decided_by"],
      error: "Only a rule with 'for_control' can have 'decided_by'",
    }),
    z.meta({
      description: "A required attestation.",
      anyOf: [
        { properties: { type: { not: { const: "*" } } } },
        { properties: { name: { not: { const: "*" } } }, required: ["name"] },
      ],
      dependentSchemas: {
        for_control: {
          anyOf: [
            { properties: { for_control: { type: "null" } } },
            { properties: { type: { const: "decision" } } },
          ],
        },
        decided_by: {
          anyOf: [
            { properties: { decided_by: { type: "null" } } },
            { properties: { for_control: { type: "string" } }, required: ["for_control"] },
          ],
        },
      },
    }),
  );

/** Format of policy files, version 1. */
export const policyFile = z
  .strictObject({
    _schema: z.string().check(
      z.refine((address) => /\/v1$/.test(URL.parse(address)?.pathname ?? ""), {
        error: "Input should be the address of the schema, ending in /v1",
      }),
      z.meta({
        format: "uri",
        pattern: "/v1([?#].*)?$",
        description: "The address of this format and its version.",
      }),
    ),
    artifacts: z.nullish(
      z.strictObject({
        flows: z.optional(
          z.array(flowName).check(
            z.minLength(1),
            z.maxLength(100),
            z.meta({
              description: "The only flows that count. Artifacts of other flows have no provenance.",
            }),
          ),
        ),
        provenance: z.nullish(provenance),
        "trail-compliance": z.nullish(trailCompliance),
        attestations: z._default(z.nullish(z.array(attestationRule)), []),
      }),
    ),
  })
  .check(
    z.meta({
      title: "Environment policy",
      description: "The requirements for artifacts to run in an environment.",
    }),
  );

/** Generated from the parser of policy files. `id` is the schema's address. */
export function policyFileJsonSchema(id: string): Record<string, unknown> {
  const { $schema, ...rules } = z.toJSONSchema(policyFile, { target: "draft-2020-12", io: "input" });
  return { $schema, $id: id, ...rules };
}

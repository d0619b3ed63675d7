import published from "@sigstore/tuf/seeds.json" with { type: "json" };
import * as z from "zod/mini";

const SEEDS = "@sigstore/tuf/seeds.json";
/** The public instance of Sigstore, which signs for public repositories. */
const PUBLIC_INSTANCE = "https://tuf-repo-cdn.sigstore.dev";

const seeds = z.record(z.string(), z.object({ targets: z.record(z.string(), z.string()) }));

/**
 * The source of the module with the trusted root of Sigstore's public instance, from the package of its maintainers.
 */
export function trustedRootModule(): string {
  const seed = seeds.parse(published)[PUBLIC_INSTANCE];
  const root = Buffer.from(seed?.targets["trusted_root.json"] ?? "", "base64").toString("utf8");
  const text = JSON.stringify(JSON.parse(root), null, 1);
  if (/[`\\]|\$\{/.test(text))
    throw new Error(`${SEEDS} contains characters that are not allowed in a template literal`);
  return `// Written by \`npm run generate\` from ${SEEDS}.\n\n/** Trusted root of Sigstore's public instance, which signs for public repositories. */\nexport const PUBLIC_ROOT = \`${text}\`;\n`;
}

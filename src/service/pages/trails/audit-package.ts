import { definePage } from "../page.ts";
import { download } from "../parts/download.ts";

/** All that a trail holds, as one archive. */
export const trailAuditPackage = definePage({
  path: "/:org/flows/:flow/trails/:trail/audit-package",
  audience: "everybody",
  subject: ({ flow, trail }) => ({ kind: "trail", place: flow, name: trail }),
  show: async ({ params, ask }) =>
    download(await ask("getTrailAuditPackage", { flowName: params.flow, trailName: params.trail })),
});

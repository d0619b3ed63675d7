import { html } from "hono/html";
import { definePage } from "../page.ts";
import { artifactTable } from "../parts/artifact-table.ts";
import { empty } from "../parts/empty.ts";
import { pageNumberIn, ROWS } from "../parts/listed.ts";
import { whileFull } from "../parts/while-full.ts";
import { workflowStep } from "../parts/workflow-step.ts";

/** The artifacts of a flow, the newest first. */
export const artifactsPage = definePage({
  path: "/:org/flows/:flow/artifacts",
  audience: "everybody",
  async show(request) {
    const { params, ask, query, to } = request;
    const page = pageNumberIn(query);
    const given = { flowName: params.flow, page, perPage: ROWS };
    const rows = await ask("listArtifacts", given);
    const howTo = {
      title: "Report an artifact",
      code: workflowStep(
        "attest",
        {
          kind: "artifact",
          name: "app",
          flow: params.flow,
          trail: "${{ github.sha }}",
          artifact: "dist/app.tgz",
        },
        request,
      ),
    };
    const artifacts = artifactTable(
      {
        caption: `Artifacts of ${params.flow}`,
        artifacts: rows,
        empty:
          page > 1 ? empty("There are no more.") : empty("No artifact was reported to this flow yet.", howTo),
      },
      request,
    );
    return {
      title: `Artifacts of ${params.flow}`,
      above: [
        { name: "Flows", href: to.page("flows") },
        { name: params.flow, href: to.page("flows", params.flow) },
      ],
      main: html`${artifacts.html}${whileFull(rows, request)}`,
      tables: [artifacts],
      json: { operation: "listArtifacts", given },
      howTo,
    };
  },
});

import { controlPacks } from "../../evidence/controls/packs.ts";
import { NotFound } from "../../kernel/errors.ts";
import { definePage, type PageRequest } from "../page.ts";
import type { HowTo } from "../parts/blocks.ts";
import { commaList, html, link, safeLink, text } from "../parts/html.ts";
import { guideLink } from "../parts/links.ts";
import { linkCell, table } from "../parts/table.ts";
import { type CoveredRequirement, coverageOf, DAYS, type FrameworkCoverage } from "./framework-coverage.ts";

const howToImport = (pack: string): HowTo => ({
  title: "Import the controls of a framework",
  code: `delivery-evidence controls import ${pack}`,
});

export const frameworksPage = definePage({
  path: "/:org/frameworks",
  audience: "everybody",
  async show(request) {
    const { to } = request;
    const frameworks = table<FrameworkCoverage>(request, {
      id: "frameworks",
      caption: "Frameworks",
      columns: {
        Framework: ({ pack }) => linkCell(to.page("frameworks", pack.name), pack.title),
        Version: ({ pack }) => pack.version,
        Requirements: { cell: ({ requirements }) => requirements.length, isNumber: true },
        "With a control": {
          cell: ({ requirements }) => requirements.filter(({ controls }) => controls.length > 0).length,
          isNumber: true,
        },
        Covered: { cell: ({ covered }) => covered, isNumber: true },
      },
      rows: await coverageOf(controlPacks(), request),
      empty: "No frameworks.",
    });
    return {
      title: "Frameworks",
      above: [["Controls", to.page("controls")]],
      main: html`<p>A requirement is covered if a control that answers it has a compliant decision of the last ${DAYS} days. ${guideLink("control-packs", "About control packs")}</p>
${frameworks.html}`,
      tables: [frameworks],
      json: { operation: "listControls", given: { tag: ["framework"] } },
      howTo: howToImport("osps"),
    };
  },
});

export const frameworkPage = definePage({
  path: "/:org/frameworks/:framework",
  audience: "everybody",
  async show(request) {
    const { params, to } = request;
    const pack = controlPacks().find(({ name }) => name === params.framework);
    const [framework] = pack ? await coverageOf([pack], request) : [];
    if (!pack || !framework)
      throw new NotFound("request.path_not_found", `There is no framework '${params.framework}'`);
    const { requirements, covered } = framework;
    const rows = table<CoveredRequirement>(request, {
      id: "requirements",
      caption: "Requirements",
      columns: {
        Requirement: ({ identifier, name }) => ({
          html: html`${identifier} <span class="quiet">${text(name)}</span>`,
          csv: identifier,
        }),
        Controls: ({ controls }) => controlsCell(controls, request),
        [`Decisions of the last ${DAYS} days`]: (requirement) => decisionsCell(requirement),
      },
      rows: requirements,
      empty: "No requirements.",
    });
    return {
      title: `${pack.title} ${pack.version}`,
      above: [
        ["Controls", to.page("controls")],
        ["Frameworks", to.page("frameworks")],
      ],
      main: html`<p class="lead">${covered} of ${requirements.length} requirements are covered by a compliant decision.</p>
<p>A decision about a control also counts for the requirements of this framework that the control maps to. Source: ${safeLink(pack.source)}.</p>
${rows.html}`,
      tables: [rows],
      json: { operation: "listControls", given: { tag: [`framework:${pack.name}`] } },
      howTo: howToImport(pack.name),
    };
  },
});

function controlsCell(controls: readonly string[], { to }: PageRequest) {
  if (controls.length === 0) return { html: html`<span class="quiet">None</span>`, csv: "" };
  const links = controls.map((identifier) => link(to.page("controls", identifier), identifier));
  return { html: commaList(links), csv: controls.join(" ") };
}

/** `12 passed 1 failed` */
function decisionsCell({ compliant, nonCompliant }: CoveredRequirement) {
  if (compliant + nonCompliant === 0) return null;
  const passed = compliant === 0 ? "" : html`<span class="ok">${compliant} passed</span>`;
  const failed = nonCompliant === 0 ? "" : html` <span class="fail">${nonCompliant} failed</span>`;
  return { html: html`${passed}${failed}`, csv: `${compliant} passed ${nonCompliant} failed` };
}

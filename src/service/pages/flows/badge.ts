import { NotFound } from "../../kernel/errors.ts";
import { definePage, type PageRequest } from "../page.ts";

/** Maximum number of trails to search for a branch. */
const MAX_TRAILS = 100;
const HEIGHT = 20;
const PADDING = 6;
/** Character width in the widest of the fonts, so that no text is cut off. */
const CHARACTER = 7;

/** Background colors with a contrast to white of at least 4.5. */
const COLORS = {
  COMPLIANT: "#1a7f37",
  "NON-COMPLIANT": "#b42318",
  INCOMPLETE: "#8a5a00",
  UNKNOWN: "#59636e",
} as const;

/** A badge with the state of the latest trail of a flow or of a branch: `badge.svg?branch=main`. */
export const badgePicture = definePage({
  path: "/:org/flows/:flow/badge.svg",
  audience: "everybody",
  subject: ({ flow }) => ({ kind: "badge", place: flow }),
  async show(request) {
    const state = await latestState(request);
    return {
      raw: {
        mediaType: "image/svg+xml",
        body: picture("delivery evidence", state),
        headers: {
          // A shared cache cannot check access.
          "cache-control": `${request.viewer.kind === "public" ? "public" : "private"}, max-age=60`,
          // Allows other sites to embed the badge.
          "cross-origin-resource-policy": "cross-origin",
        },
      },
    };
  },
});

async function latestState({
  call,
  params,
  query,
  viewer,
}: PageRequest<{ readonly flow: string }>): Promise<keyof typeof COLORS> {
  const branch = query.get("branch");
  const flowName = viewer.kind === "share" ? viewer.subject.place : params.flow;
  if (branch === null) {
    const { latestState: state, archived } = await call("getFlow", { flowName });
    if (archived === true) throw new NotFound("flow.archived", "The flow is archived");
    return state ?? "UNKNOWN";
  }
  const answer = await call("listFlowTrails", { flowName, page: 1, perPage: MAX_TRAILS });
  const trails = "data" in answer ? answer.data : answer;
  return trails.find(({ gitCommitInfo }) => gitCommitInfo?.branch === branch)?.complianceState ?? "UNKNOWN";
}

/** Draws the badge. None of its text comes from user data, so nothing needs escaping. */
function picture(label: string, state: keyof typeof COLORS): string {
  const word = state.toLowerCase();
  const [left, right] = [label, word].map((text) => text.length * CHARACTER + 2 * PADDING);
  if (left === undefined || right === undefined) throw new Error("A badge needs two halves");
  const text = (x: number, content: string) =>
    `<text x="${x}" y="14" textLength="${content.length * CHARACTER}">${content}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${label}: ${word}">
<title>${label}: ${word}</title>
<rect width="${left + right}" height="${HEIGHT}" rx="3" fill="#1f2328"/>
<path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v${HEIGHT - 6}a3 3 0 0 1-3 3H${left}z" fill="${COLORS[state]}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(PADDING, label)}${text(left + PADDING, word)}</g>
</svg>
`;
}

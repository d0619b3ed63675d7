import type { PodImage } from "./images.ts";

export interface RefusedImage extends PodImage {
  readonly reasons: readonly string[];
}

/** Length of a message that events of Kubernetes show completely, without its first line. */
const MAX_LINES = 900;
const [MIN_LINE, MAX_LINE] = [120, 400];

/** Kubernetes cuts longer warnings, and all of them together at 4,096 characters. */
const MAX_WARNING = 256;

/** One line for each image, all of them short enough for `kubectl`. */
export function linesIn(refused: readonly RefusedImage[]): string[] {
  const most = Math.floor(Math.min(MAX_LINE, Math.max(MIN_LINE, MAX_LINES / refused.length)));
  return refused.map((image) => cut(lineOf(image), most));
}

export function lineOf({ place, image, reasons }: RefusedImage): string {
  return `${place} (${shortened(image)}): ${reasons.join("; ")}`;
}

export function refusalText(
  lines: readonly string[],
  counts: { refused: number; images: number; environment: { readonly name: string } },
): string {
  const { refused, images, environment } = counts;
  const what = images === 1 ? "the image" : `${refused} of ${images} images`;
  return [`${what} may not run in environment '${environment.name}'`, ...lines].join("\n- ");
}

export function warningOf(line: string): string {
  return cut(`delivery evidence: ${line}`, MAX_WARNING);
}

/** `reg.example/web@sha256:0123456789ab…`. Registries and paths may be long, and the end tells more. */
function shortened(image: string): string {
  if (image === "") return "no image";
  const short = image.replace(/(@sha256:[a-f0-9]{12})[a-f0-9]{52}$/, "$1…");
  return short.length > 100 ? `…${short.slice(-99)}` : short;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

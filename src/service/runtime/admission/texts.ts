import { oneLine } from "../../kernel/one-line.ts";
import type { PodImage } from "./images.ts";

export interface RefusedImage extends PodImage {
  readonly reasons: readonly string[];
}

/** Length of a message that events of Kubernetes show completely, without its first line. */
const MAX_LINES = 900;
const [MIN_LINE, MAX_LINE] = [120, 400];
/** Images with a line of their own. */
const MAX_IMAGES = 100;

/** Kubernetes cuts longer warnings, and all of them together at 4,096 characters. */
const MAX_WARNING = 256;

/** One line for each of the first images, all of them short enough for `kubectl`. */
export function linesIn(refused: readonly RefusedImage[]): string[] {
  const most = Math.floor(Math.min(MAX_LINE, Math.max(MIN_LINE, MAX_LINES / refused.length)));
  const lines = refused.slice(0, MAX_IMAGES).map((image) => oneLine(lineOf(image), most));
  const others = refused.length - lines.length;
  return others > 0 ? [...lines, `${others} more images`] : lines;
}

function lineOf({ place, image, reasons }: RefusedImage): string {
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
  return oneLine(`delivery evidence: ${line}`, MAX_WARNING);
}

/** `reg.example/web@sha256:0123456789ab…`. Registries and paths may be long, and the end tells more. */
function shortened(image: string): string {
  if (image === "") return "no image";
  const short = image.replace(/(@sha256:[a-f0-9]{12})[a-f0-9]{52}$/, "$1…");
  return short.length > 100 ? `…${short.slice(-99)}` : short;
}

import { expect, it } from "vitest";
import { linesIn, refusalText, warningOf } from "../../../../src/service/runtime/admission/texts.ts";

const refused = (image: string, place = "container web", reason = "it is unknown") => ({
  ...{ place, image, fingerprint: undefined, reasons: [reason] },
});

it.each([
  ["an image", refused("web\n- container db (db@sha256:0): fine")],
  ["a container", refused("web", "container \u001b[2Jweb\r\nallowed")],
  ["a reason", refused("web", "container web", "the name is '\u2028\u202eadmitted'")],
])("shows a hostile name of %s in its own line", (_, image) => {
  const [line = ""] = linesIn([image]);
  expect(`${line}${warningOf(line)}`).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
});

it("lists the first images of a pod with thousands of them", () => {
  const images = Array.from({ length: 5_000 }, (_, each) => refused(`web:${each}`));
  const lines = linesIn(images);
  expect(lines).toHaveLength(101);
  expect(lines.at(-1)).toBe("4900 more images");
  const environment = { name: "production" };
  const text = refusalText(lines, { refused: images.length, images: images.length, environment });
  expect(text.length).toBeLessThan(16_000);
});

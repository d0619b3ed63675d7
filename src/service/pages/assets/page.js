/* Optional enhancements. Every page works without this script. */

enhance(document);

/** Adds copy buttons and local times to a part of the page. */
function enhance(part) {
  for (const button of part.querySelectorAll("button[data-copy]")) {
    if (!navigator.clipboard) break;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
      setTimeout(() => button.replaceChildren(), 2000);
    });
  }
  for (const time of part.querySelectorAll("time[datetime]")) {
    const date = new Date(time.dateTime);
    if (Number.isNaN(date.getTime())) continue;
    const isShort = time.parentElement.matches(".short");
    const [utc, local] = [time.textContent, inLocalTime(date)];
    time.title = isShort ? `${local}, ${utc}` : utc;
    time.textContent = isShort ? (isRecent(date) ? ago(date) : day(date)) : `${local} (${ago(date)})`;
  }
}

function inLocalTime(date) {
  return date.toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

function day(date) {
  return date.toLocaleDateString("en", { dateStyle: "medium" });
}

/** Whether a time is less than a week from now. */
function isRecent(date) {
  return Math.abs(date.getTime() - Date.now()) < 7 * 86400 * 1000;
}

/** A relative time in English: `3 days ago`. */
function ago(date) {
  const seconds = (date.getTime() - Date.now()) / 1000;
  const units = Object.entries({ year: 31536000, month: 2592000, day: 86400, hour: 3600, minute: 60 });
  const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ["minute", 60];
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const search = document.querySelector("#q");
  if (!search) return;
  event.preventDefault();
  search.focus();
});

document.querySelector("[role=alert]")?.focus();

const live = document.querySelector("[data-live]");
const control = document.querySelector(".live");
if (live && control) keepUpToDate();

/** Refreshes the live part while the page is visible. The focus does not move. */
function keepUpToDate() {
  const EVERY_MS = 15000;
  const [pause, status] = [control.querySelector("button"), control.querySelector("[role=status]")];
  let isPaused = false;
  const say = (text) => {
    if (status.textContent !== text) status.textContent = text;
  };
  // Does not replace content that the reader is using.
  const isInUse = () =>
    live.contains(document.activeElement) ||
    live.querySelector("details[open]") !== null ||
    live.contains(getSelection()?.isCollapsed === false ? getSelection().anchorNode : null);
  const refresh = () => {
    if (isPaused || document.visibilityState !== "visible" || isInUse()) return;
    const request = new XMLHttpRequest();
    request.open("GET", location.pathname + location.search);
    request.responseType = "document";
    request.addEventListener("load", () => {
      const fresh = request.response?.querySelector("[data-live]");
      if (!fresh) return stop("Updates have stopped. Reload the page.");
      if (isPaused || isInUse()) return;
      const [before, after] = [live, fresh].map((part) => part.querySelector(".lead .verdict")?.textContent);
      live.replaceChildren(...fresh.childNodes);
      enhance(live);
      if (before !== after) say(`Changed from ${before} to ${after}.`);
    });
    request.send();
  };
  const timer = setInterval(refresh, EVERY_MS);
  document.addEventListener("visibilitychange", refresh);
  function stop(text) {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", refresh);
    pause.hidden = true;
    say(text);
  }
  pause.addEventListener("click", () => {
    isPaused = !isPaused;
    pause.textContent = isPaused ? "Resume" : "Pause";
    say(isPaused ? "Updates are paused." : "This page updates automatically.");
    refresh();
  });
  // A refresh would discard unsent choices.
  live.addEventListener("input", () => isPaused || pause.click());
  control.hidden = false;
}

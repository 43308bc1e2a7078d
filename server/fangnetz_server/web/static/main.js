/** The page's entry: which view the address asks for, and what holds for all of them. */

import { make, setText } from "./dom.js";
import { Lobby } from "./lobby.js";
import { Viewer } from "./viewer.js";
import { words } from "./words.js";

/** @typedef {import("./connection.js").FeedState} FeedState */

/** A loss shorter than this is no news. */
const PATIENCE_MS = 700;

const root = /** @type {HTMLElement} */ (document.getElementById("main"));
const pill = /** @type {HTMLElement} */ (document.getElementById("connection"));
const notice = /** @type {HTMLElement} */ (document.getElementById("notice"));

/** @type {Lobby | Viewer | null} */
let view = null;
let lossTimer = 0;

function route() {
  view?.close();
  const match = new URLSearchParams(location.search).get("match");
  view = match === null ? new Lobby(showState) : new Viewer(match, showState);
  root.replaceChildren(view.element);
}

/** @param {FeedState} state @param {() => void} retry */
function showState(state, retry) {
  pill.dataset.state = state;
  setText(pill, words.connection[state]);
  clearTimeout(lossTimer);
  if (state === "lost") lossTimer = window.setTimeout(() => showLoss(retry), PATIENCE_MS);
  else if (state !== "connecting") notice.hidden = true;
}

/** @param {() => void} retry */
function showLoss(retry) {
  const button = make("button", { type: "button", class: "button" }, words.connection.retry);
  button.addEventListener("click", retry);
  notice.replaceChildren(make("span", {}, words.connection.lostHint), button);
  notice.hidden = false;
}

/** Links between views change the view without loading the page anew. @param {MouseEvent} event */
function follow(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || link.target || link.hasAttribute("download")) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || url.pathname !== location.pathname) return;
  event.preventDefault();
  history.pushState(null, "", url);
  route();
  scrollTo(0, 0);
  root.focus({ preventScroll: true });
}

document.addEventListener("click", follow);
addEventListener("popstate", route);
Object.assign(window, { fangnetz: { snapshot: () => view?.snapshot() ?? null } });
route();

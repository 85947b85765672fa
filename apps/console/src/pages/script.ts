import { createHash } from 'node:crypto';
import { copyScript } from '../copy/copy-script.js';
import { liveScript } from '../live-page/live-script.js';

/**
 * The script of the pages: it says when a page that refreshes itself has had no answer, and since when, or that its session has
 * ended; it signs nobody in. It copies commands, and moves the page Live. Everything else works without it.
 */
export const script = `'use strict';
const stale = () => document.getElementById('stale');
const missing = () => {
  const note = stale();
  note.textContent = 'no answer from the console since ' + document.getElementById('content').dataset.at;
  note.hidden = false;
};
let isSignedOut = false;
const signedOut = () => {
  isSignedOut = true;
  const note = stale();
  const link = document.createElement('a');
  link.href = location.href;
  link.textContent = 'sign in again';
  note.replaceChildren('you are signed out: ', link);
  note.hidden = false;
};
document.addEventListener('htmx:before:request', (event) => {
  if (isSignedOut) event.preventDefault();
});
document.addEventListener('htmx:error', () => isSignedOut || missing());
document.addEventListener('htmx:after:request', (event) => {
  const { status, redirected } = event.detail?.ctx?.response ?? {};
  if (redirected || status === 401) signedOut();
  else if (status >= 400) missing();
  else if (status >= 200) stale().hidden = true;
});
${copyScript}
${liveScript}`;

export const scriptHash = createHash('sha256').update(script).digest('hex').slice(0, 12);

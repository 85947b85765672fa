import { createHash } from 'node:crypto';
import { liveScript } from '../live-page/live-script.js';

/**
 * The script of the pages: it says when a page that refreshes itself has had no answer, and since when, and it moves the page
 * Live. Everything else works without it.
 */
export const script = `'use strict';
const stale = () => document.getElementById('stale');
const missing = () => {
  const note = stale();
  note.textContent = 'no answer from the console since ' + document.getElementById('content').dataset.at;
  note.hidden = false;
};
document.addEventListener('htmx:error', missing);
document.addEventListener('htmx:after:request', (event) => {
  const { status, redirected } = event.detail?.ctx?.response ?? {};
  if (redirected || status === 401) location.reload();
  else if (status >= 500) missing();
  else if (status >= 200) stale().hidden = true;
});
${liveScript}`;

export const scriptHash = createHash('sha256').update(script).digest('hex').slice(0, 12);

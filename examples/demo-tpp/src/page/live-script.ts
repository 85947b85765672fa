import { createHash } from 'node:crypto';

/**
 * The only script of this app. On each event, it fetches the page again and replaces the elements marked
 * `data-live` with their new versions. Without the script, reloading the page has the same effect.
 */
export const liveScript = `'use strict';
const main = document.querySelector('main[data-events]');
if (main !== null) {
  const events = new EventSource(main.dataset.events);
  const update = async () => {
    const answer = await fetch(location.pathname);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const part of document.querySelectorAll('[data-live]')) {
      const next = page.getElementById(part.id);
      if (next === null || next.innerHTML === part.innerHTML) continue;
      for (const { id } of part.querySelectorAll('details[open]')) next.querySelector('#' + id)?.setAttribute('open', '');
      if (next.innerHTML !== part.innerHTML) part.replaceChildren(...next.childNodes);
    }
    // The notification of the final status may still come, and is shown in the drawer.
    if (page.querySelector('main[data-events]') === null) setTimeout(() => events.close(), 60000);
  };
  let updates = Promise.resolve();
  events.addEventListener('message', () => {
    // If the page cannot be fetched, it stays unchanged, and the next event tries again.
    updates = updates.then(update).catch(() => undefined);
  });
}
`;

export const liveScriptHash = createHash('sha256').update(liveScript).digest('hex').slice(0, 12);

import { type Html, html } from '@xs2a/html/html';

/** A moment to the second, in UTC. `at`: an ISO instant. */
export const instant = (at: string): Html =>
  html`<time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time>`;

import { type Html, html } from '@xs2a/html/html';
import { randomToken } from '@xs2a/runtime/ids';
import { page } from '../pages/layout.js';
import type { Session } from './session.js';

/** The pages of the workspace, in the order of its navigation. */
const places = [
  { to: '/workspace', title: 'Overview' },
  { to: '/workspace/requests', title: 'Requests' },
  { to: '/workspace/try', title: 'Try a call' },
  { to: '/workspace/payments', title: 'Payments' },
  { to: '/workspace/consents', title: 'Consents' },
  { to: '/workspace/people', title: 'People' },
  { to: '/workspace/push', title: 'Push' },
  { to: '/workspace/certify', title: 'Certify' },
  { to: '/workspace/clock', title: 'Clock' },
] as const;

/** The hidden field with the CSRF token of the session. */
export const csrfField = ({ csrf }: Session): Html =>
  html`<input type="hidden" name="csrf" value="${csrf}" />`;

/** The hidden field with the Idempotency-Key of what a form creates, so that the same form twice creates it once. */
export const keyField = (): Html => html`<input type="hidden" name="key" value="${randomToken(16)}" />`;

/** The Idempotency-Key of a form that was sent. */
export const keyOf = (form: URLSearchParams): string => {
  const key = form.get('key') ?? '';
  return /^[\w-]{1,64}$/.test(key) ? key : randomToken(16);
};

interface WorkspacePage {
  readonly session: Session;
  /** The path of the page, which the navigation marks. */
  readonly path: string;
  readonly title: string;
  readonly body: Html;
}

/** Renders a page of the workspace. */
export const workspacePage = ({ session, path, title, body }: WorkspacePage): Html =>
  page({
    path: '/workspace',
    title: `${title} – workspace`,
    body: html`${session.tpp === undefined ? undefined : navigation(session, session.tpp.clientId, path)}
      <h1>${title}</h1>
      ${body}`,
  });

const navigation = (session: Session, clientId: string, path: string): Html =>
  html`<div class="workspace">
    <nav aria-label="Workspace">
      ${places.map(
        ({ to, title }) =>
          html`<a href="${to}" ${isCurrent(to, path) ? html`aria-current="true"` : undefined}>${title}</a>`,
      )}
    </nav>
    <form method="post" action="/workspace/sign-out">
      ${csrfField(session)} <code>${clientId}</code> <button class="link">Sign out</button>
    </form>
  </div>`;

const isCurrent = (to: string, path: string): boolean =>
  path === to || (to !== '/workspace' && path.startsWith(`${to}/`));

/** The link to the next page of a list, which is earlier; undefined at its end. */
export const earlier = (path: string, next: string | undefined): Html | undefined =>
  next === undefined
    ? undefined
    : html`<p><a href="${path}?${new URLSearchParams({ cursor: next }).toString()}">Earlier</a></p>`;

/** A message above a page: what was done, or what is wrong. */
export const note = (kind: 'good' | 'problem' | 'attention', text: Html | string): Html =>
  html`<p class="note ${kind}" role="${kind === 'good' ? 'status' : 'alert'}">${text}</p>`;

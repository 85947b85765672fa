import type { Language } from './catalogue/catalogue.js';
import { type ShownPage, shownPage } from './evidence.js';
import type { PageRequest } from './page-request.js';
import type { PageSession, PageSessions } from './page-sessions.js';
import type { AuthorisationRequest } from './requests/authorisation-request.js';
import { openText, sealText } from './sealed-text.js';

interface At {
  readonly request: Pick<PageRequest, 'cookie'>;
  readonly session: PageSession;
  readonly authorisation: Pick<AuthorisationRequest, 'content' | 'rows'>;
}

/** Stores in the session what the review displays: rendered again when the code arrives, the review could show a different execution day. */
export const storeShownPage = async (
  sessions: PageSessions,
  { request: { cookie }, session, authorisation }: At,
  language: Language,
): Promise<void> => {
  const { state } = session;
  const text = JSON.stringify(shownPage(authorisation, state, language));
  if (openText(cookie, state.shownPage) === text) return;
  const sealed = sealText(cookie, text);
  if (sealed !== undefined) await sessions.storeShownPage(session, sealed);
};

/**
 * Returns what the last review of a session displayed. For a session that an earlier release started, which stored no page, returns
 * what the page would display at this moment.
 */
export const lastShownPage = (
  { request, session: { state }, authorisation }: At,
  language: Language,
): ShownPage => {
  const text = openText(request.cookie, state.shownPage);
  return text === undefined ? shownPage(authorisation, state, language) : (JSON.parse(text) as ShownPage);
};

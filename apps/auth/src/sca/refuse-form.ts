import { plainPage } from './pages/end-pages.js';
import type { PageSession } from './page-sessions.js';
import { type Answer, isOwnForm, languageFor, type PageRequest } from './page-request.js';

/**
 * Answers a form that is rejected because it lacks the token of an active session. A form that was rendered before
 * the sign-in (another tab, the back button) leads to the current step; any other form is refused.
 */
export const refuseForm = (request: PageRequest, session: PageSession | undefined): Answer => {
  const { signInCsrf, language } = session?.state ?? {};
  if (signInCsrf !== undefined && isOwnForm(request, signInCsrf)) return { redirect: request.path };
  return { page: plainPage(languageFor(request, language), 'forbidden', request.path), status: 403 };
};

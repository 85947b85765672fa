import type { Configuration } from 'oidc-provider';
import type { BankLook } from '../sca/pages/look/bank-look.js';
import { oauthErrorPage, plainPage } from '../sca/pages/end-pages.js';
import { chooseLanguage } from '../sca/pages/language.js';
import { pageHeaders } from '../sca/pages/page.js';
import { oauthFailure } from './oauth-failures.js';

/**
 * Renders an error that cannot be returned to the TPP by redirect: as a page for a PSU's browser, and as RFC 6749
 * JSON for all other clients.
 */
export const renderOauthError =
  (look: () => BankLook): NonNullable<Configuration['renderError']> =>
  (ctx, out, error) => {
    const isOurs = out.error === 'server_error';
    const failure = isOurs ? oauthFailure(error) : undefined;
    if (failure !== undefined) ctx.status = failure.status;
    if (failure?.status === 503) ctx.set('Retry-After', '1');
    const isBrowser =
      ['authorization', 'resume'].includes(ctx.oidc.route) && ctx.accepts('json', 'html') === 'html';
    if (!isBrowser) {
      const { error: code, error_description: description } = out;
      ctx.body = failure?.body ?? { error: code, error_description: description };
      return;
    }
    const language = chooseLanguage({ query: ctx.query['ui_locales'], accept: ctx.get('accept-language') });
    ctx.set({ ...pageHeaders() });
    ctx.body = (isOurs ? plainPage(language, 'unavailable') : oauthErrorPage(language, out.error))(
      look(),
    ).text;
  };

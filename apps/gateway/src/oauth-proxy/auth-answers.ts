import { oauthMethods } from '@xs2a/contracts/oauth-paths';
import type { Failure } from '@xs2a/domain/failure/failures';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parsePath } from '../edge/public-path.js';
import { toTppMessage } from '../edge/tpp-messages.js';

/** The path prefixes of the authorization server: its endpoints, the SCA pages and its discovery document. */
export const authPrefixes = ['/oauth2', '/sca', '/.well-known'] as const;

/**
 * True if a path belongs to the authorization server, in upper or lower case; refusals then have the error format
 * of that server.
 */
export const isAuthPath = (url: string): boolean =>
  authPrefixes.some(
    (prefix) =>
      url.slice(0, prefix.length).toLowerCase() === prefix && /^(?:[/?#]|$)/.test(url.slice(prefix.length)),
  );

const isPage = (url: string): boolean => /^\/sca(?:[/?]|$)/.test(url);

/** The methods of a page or exact path of the authorization server, for `Allow`. */
const methodsOfAuth = (url: string): string | undefined =>
  isPage(url) ? 'GET, POST' : oauthMethods(parsePath(url));

/**
 * True if this URL is a page or an exact path of the authorization server (contract 1). Requests for other URLs
 * never reach that server.
 */
export const isProxied = (url: string): boolean => methodsOfAuth(url) !== undefined;

interface Words {
  readonly title: string;
  readonly text: string;
}
const openAgain = { bg: 'Отворете страницата отново', en: 'Open the page again' } as const;
/**
 * Renders a page in both languages. `again` is the path of a page that shows the visitor's current step; only
 * plain paths become links.
 */
const renderPage = (bg: Words, en: Words, again = ''): string => {
  const link = (language: 'bg' | 'en'): string =>
    /^\/sca\/[\w/-]+$/.test(again) ? `<p><a href="${again}">${openAgain[language]}</a></p>` : '';
  return `<!doctype html><html lang="bg"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${bg.title}</title><link rel="stylesheet" href="/sca/style.css"><main><h1>${bg.title}</h1><p>${bg.text}</p>${link('bg')}
<div lang="en"><h2>${en.title}</h2><p>${en.text}</p>${link('en')}</div></main></html>`;
};

/**
 * The page shown while the authorization server is down. A form may have been processed although its response was
 * lost; the page behind the link shows the result.
 */
const awayPage = (path: string): string =>
  renderPage(
    {
      title: 'Страницата временно не е достъпна',
      text: 'Изчакайте малко и отворете страницата отново: тя показва докъде сте стигнали.',
    },
    {
      title: 'This page is temporarily unavailable',
      text: 'Wait a moment and open the page again: it shows your progress.',
    },
    path,
  );
const absentPage = renderPage(
  { title: 'Няма такава страница', text: 'Проверете адреса.' },
  { title: 'There is no such page', text: 'Check the address.' },
);

const tooManyPage = (seconds: number, path: string): string =>
  renderPage(
    {
      title: 'Твърде много заявки',
      text: `От вашия интернет адрес идват твърде много заявки. Изчакайте ${seconds} ${seconds === 1 ? 'секунда' : 'секунди'}, върнете се назад и опитайте отново. Нищо не е загубено.`,
    },
    {
      title: 'Too many requests',
      text: `Too many requests are coming from your internet address. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, go back and try again. Nothing is lost.`,
    },
    path,
  );

/** Answers programs in the format of RFC 6749, and browsers with a page. */
const answer = (
  request: Pick<FastifyRequest, 'url'>,
  reply: FastifyReply,
  { page, error, text }: { readonly page: string; readonly error: string; readonly text: string },
  toPerson = isPage(request.url),
): void => {
  if (toPerson)
    reply
      .headers({
        'content-security-policy': "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      })
      .type('text/html; charset=utf-8')
      .send(page);
  else reply.type('application/json').send(JSON.stringify({ error, error_description: text }));
};

/** Answers when the authorization server is down. */
export const answerAway = (request: FastifyRequest, reply: FastifyReply): void => {
  request.refusal = { failure: 'dependencyDown', dependency: 'auth' };
  reply.code(503).header('retry-after', '1');
  answer(request, reply, {
    page: awayPage(parsePath(request.url)),
    error: 'temporarily_unavailable',
    text: 'The authorization server is temporarily unavailable. Send the request again.',
  });
};

/** Answers a client that sends too many requests. Browsers get a page, even for the authorization request. */
export const answerTooMany = (request: FastifyRequest, reply: FastifyReply, seconds: number): void => {
  reply.code(429).headers({ 'retry-after': String(seconds), 'cache-control': 'no-store' });
  const isBrowser =
    isPage(request.url) ||
    (parsePath(request.url) === '/oauth2/authorize' && /\btext\/html\b/.test(request.headers.accept ?? ''));
  const text =
    'Too many requests are coming from this address. Send the request again after the delay in Retry-After.';
  answer(
    request,
    reply,
    { page: tooManyPage(seconds, parsePath(request.url)), error: 'temporarily_unavailable', text },
    isBrowser,
  );
};

/** The RFC 6749 error for a path or method that is never forwarded to the authorization server. */
const absentError = {
  error: 'invalid_request',
  error_description:
    'This endpoint does not exist, or does not support this method. See /.well-known/oauth-authorization-server.',
} as const;
const absentTexts = {
  400: 'Send the Host header exactly once.',
  404: absentError.error_description,
  405: absentError.error_description,
  413: 'The request is too large.',
} as const;

interface NoRouteOfAuth {
  readonly status: 404 | 405;
  readonly allow?: string;
  readonly body: string;
}

/**
 * The refusal for a path below {@link authPrefixes} that is not proxied: 404, or 405 if the path exists but not
 * with this method.
 */
export const noRouteOfAuth = (url: string): NoRouteOfAuth => {
  const body = JSON.stringify(absentError);
  const allow = methodsOfAuth(url);
  return allow === undefined ? { status: 404, body } : { status: 405, allow, body };
};

/** Sends the response of {@link noRouteOfAuth}, including `Allow` with a 405, as RFC 9110 §15.5.6 requires. */
export const answerNoRoute = (request: Pick<FastifyRequest, 'url'>, reply: FastifyReply): void => {
  const { status, allow } = noRouteOfAuth(request.url);
  if (allow !== undefined) reply.header('allow', allow);
  answerAbsent(request, reply, status);
};

/** Refuses a path, method or form that is never forwarded to the authorization server. */
export const answerAbsent = (
  request: Pick<FastifyRequest, 'url'>,
  reply: FastifyReply,
  status: 400 | 404 | 405 | 413 = 404,
): void => {
  reply.code(status);
  answer(request, reply, {
    page: absentPage,
    error: absentError.error,
    text: absentTexts[status],
  });
};

/** Refuses a TPP without a valid certificate as a client that has not authenticated (RFC 6749, 5.2). */
export const answerUncertified = (
  request: Pick<FastifyRequest, 'url' | 'headers'>,
  reply: FastifyReply,
  failure: Failure,
  baseUrl: string,
): void => {
  reply.code(401).header('cache-control', 'no-store');
  if (request.headers.authorization !== undefined)
    reply.header('www-authenticate', `Basic realm="${baseUrl}", error="invalid_client"`);
  answer(request, reply, { page: '', error: 'invalid_client', text: toTppMessage(failure).text });
};

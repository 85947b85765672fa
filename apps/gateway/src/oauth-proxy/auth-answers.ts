import { oauthMethods } from '@xs2a/contracts/oauth-paths';
import type { Failure } from '@xs2a/domain/failure/failures';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parsePath } from '../edge/public-path.js';
import { toTppMessage } from '../edge/tpp-messages.js';

/** The prefixes of the authorization server: its endpoints, the SCA pages, and its discovery document. */
export const authPrefixes = ['/oauth2', '/sca', '/.well-known'] as const;

/** Is a path the authorization server's, in whatever case, so that its refusals have that server's form? */
export const isAuthPath = (url: string): boolean =>
  authPrefixes.some(
    (prefix) =>
      url.slice(0, prefix.length).toLowerCase() === prefix && /^(?:[/?#]|$)/.test(url.slice(prefix.length)),
  );

const isPage = (url: string): boolean => /^\/sca(?:[/?]|$)/.test(url);

/** The methods of a page or of a path of the authorization server in its one spelling, for `Allow`. */
const methodsOfAuth = (url: string): string | undefined =>
  isPage(url) ? 'GET, POST' : oauthMethods(parsePath(url));

/** Is this URL a page or a path of the authorization server in its one spelling (contract 1)? Others never reach it. */
export const isProxied = (url: string): boolean => methodsOfAuth(url) !== undefined;

interface Words {
  readonly title: string;
  readonly text: string;
}
const openAgain = { bg: 'Отворете страницата отново', en: 'Open the page again' } as const;
/** `again` is the path of a page that shows how far its visitor has come. Only plain paths become links. */
const renderPage = (bg: Words, en: Words, again = ''): string => {
  const link = (language: 'bg' | 'en'): string =>
    /^\/sca\/[\w/-]+$/.test(again) ? `<p><a href="${again}">${openAgain[language]}</a></p>` : '';
  return `<!doctype html><html lang="bg"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${bg.title}</title><link rel="stylesheet" href="/sca/style.css"><main><h1>${bg.title}</h1><p>${bg.text}</p>${link('bg')}
<div lang="en"><h2>${en.title}</h2><p>${en.text}</p>${link('en')}</div></main></html>`;
};

/** A form may have been carried out although its answer was lost: the page itself shows it. */
const awayPage = (path: string): string =>
  renderPage(
    {
      title: 'Страницата временно не е достъпна',
      text: 'Изчакайте малко и отворете страницата отново: тя показва докъде сте стигнали.',
    },
    {
      title: 'This page is not available for the moment',
      text: 'Wait a little and open the page again: it shows where you are.',
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
      text: `Too many requests come from your internet address. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, go back and try again. Nothing is lost.`,
    },
    path,
  );

/** To programs in the form of RFC 6749, to people as a page. */
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

/** The authorization server is down. */
export const answerAway = (request: Pick<FastifyRequest, 'url'>, reply: FastifyReply): void => {
  reply.code(503).header('retry-after', '1');
  answer(request, reply, {
    page: awayPage(parsePath(request.url)),
    error: 'temporarily_unavailable',
    text: 'The authorization server is not available now. Send the request again.',
  });
};

/** Too many requests of one client. A browser gets a page, on the authorization request too. */
export const answerTooMany = (request: FastifyRequest, reply: FastifyReply, seconds: number): void => {
  reply.code(429).headers({ 'retry-after': String(seconds), 'cache-control': 'no-store' });
  const isBrowser =
    isPage(request.url) ||
    (parsePath(request.url) === '/oauth2/authorize' && /\btext\/html\b/.test(request.headers.accept ?? ''));
  const text = 'Too many requests come from this address. Send the request again as Retry-After says.';
  answer(
    request,
    reply,
    { page: tooManyPage(seconds, parsePath(request.url)), error: 'temporarily_unavailable', text },
    isBrowser,
  );
};

/** The body in the form of RFC 6749 for a path or a method that never reaches the authorization server. */
const absentError = {
  error: 'invalid_request',
  error_description:
    'There is no such endpoint, or not with this method. See /.well-known/oauth-authorization-server.',
} as const;
const absentTexts = {
  400: 'Send the header Host once.',
  404: absentError.error_description,
  405: absentError.error_description,
  413: 'The request is too large.',
} as const;

interface NoRouteOfAuth {
  readonly status: 404 | 405;
  readonly allow?: string;
  readonly body: string;
}

/** The refusal of a method on a path below {@link authPrefixes} that is not proxied: 404 unless the path is an exact one. */
export const noRouteOfAuth = (url: string): NoRouteOfAuth => {
  const body = JSON.stringify(absentError);
  const allow = methodsOfAuth(url);
  return allow === undefined ? { status: 404, body } : { status: 405, allow, body };
};

/** Answers {@link noRouteOfAuth}; RFC 9110 §15.5.6 wants `Allow` on a 405. */
export const answerNoRoute = (request: Pick<FastifyRequest, 'url'>, reply: FastifyReply): void => {
  const { status, allow } = noRouteOfAuth(request.url);
  if (allow !== undefined) reply.header('allow', allow);
  answerAbsent(request, reply, status);
};

/** Refuses a path, a method or a form that never reaches the authorization server. */
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

/** A TPP asks without its certificate, or with one that is not good: it has not proven who it is (RFC 6749, 5.2). */
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

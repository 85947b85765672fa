import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from './catalogue/catalogue.js';
import { chooseLanguage } from './pages/language.js';
import type { BankLook } from './pages/look/bank-look.js';
import { cookieIn } from './sign-in/cookies.js';
import { type Page, pageHeaders } from './pages/page.js';

/**
 * A browser gets a response within this many milliseconds. The gateway gives up after 3 s, and its own error page
 * is less specific (auth-proxy.ts).
 */
export const answeredWithinMs = 2800;

/** A browser's request to an SCA page. */
export interface PageRequest {
  /** The path of the page itself. */
  readonly path: string;
  /** The resource to which the session is bound. */
  readonly resource: string;
  readonly cookie?: string;
  /** The complete `Cookie` header. */
  readonly cookies?: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly accept?: string;
  /** The form fields of a POST request. */
  readonly form: URLSearchParams;
  /** True if the browser reports that another site caused the request. */
  readonly isForeign: boolean;
  /** The time at which the request arrived, from `performance.now()`. */
  readonly receivedAt: number;
}

/** The response to the browser. `cookie` is a new session id, or '' to delete the session cookie. */
export type Answer = {
  readonly cookie?: string;
  /** A `Set-Cookie` header that marks a browser in which the PSU has completed SCA. */
  readonly knownBrowser?: string;
} & (
  | { readonly redirect: string }
  | {
      readonly page: Page;
      readonly status?: number;
      readonly formTargets?: readonly string[];
      readonly retryAfter?: number;
      /** The seconds after which the browser loads the page again. */
      readonly renewAfter?: number;
    }
);

/** Each resource has its own cookie, so that payments in two tabs do not end each other's sessions. */
const cookieName = (resource: string, isSecure: boolean): string =>
  `${isSecure ? '__Host-' : ''}xs2a_sca_${createHash('sha256').update(resource).digest('hex').slice(0, 12)}`;

/** True if a path segment may be an id; any other text is never passed to the database. */
export const isPlainId = (text: string): boolean => /^[\w-]{1,100}$/.test(text);

export const toPageRequest = (
  request: FastifyRequest,
  resource: string,
  path: string,
  isSecure: boolean,
): PageRequest => {
  const { headers, body, query } = request;
  const site = headers['sec-fetch-site'];
  return {
    path,
    resource,
    cookie: cookieIn(headers.cookie, cookieName(resource, isSecure)),
    cookies: headers.cookie,
    query: typeof query === 'object' && query !== null ? { ...query } : {},
    accept: headers['accept-language'],
    form: body instanceof URLSearchParams ? body : new URLSearchParams(),
    isForeign: site === 'cross-site' || site === 'same-site',
    receivedAt: performance.now(),
  };
};

export const send = async (
  reply: FastifyReply,
  pageRequest: PageRequest,
  answer: Answer,
  { isSecure, look }: { readonly isSecure: boolean; readonly look: BankLook },
): Promise<void> => {
  if (answer.cookie !== undefined) {
    const life = answer.cookie === '' ? '; Max-Age=0' : '';
    reply.header(
      'Set-Cookie',
      `${cookieName(pageRequest.resource, isSecure)}=${answer.cookie}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}${life}`,
    );
  }
  if (answer.knownBrowser !== undefined) reply.header('Set-Cookie', answer.knownBrowser);
  if ('redirect' in answer) {
    await reply
      .headers({ ...pageHeaders(), 'Content-Type': 'text/plain; charset=utf-8' })
      .code(303)
      .header('Location', answer.redirect)
      .send('');
    return;
  }
  if (answer.retryAfter !== undefined) reply.header('Retry-After', String(answer.retryAfter));
  if (answer.renewAfter !== undefined) reply.header('Refresh', String(answer.renewAfter));
  await reply
    .headers({ ...pageHeaders(answer.formTargets) })
    .code(answer.status ?? 200)
    .send(answer.page(look).text);
};

export const languageFor = (pageRequest: PageRequest, psu?: Language): Language =>
  chooseLanguage({ query: pageRequest.query['lang'], psu, accept: pageRequest.accept });

/** The page of payments that the PSU requests with `?page`, counted from 0. */
export const chosenPage = ({ query }: PageRequest): number | undefined => {
  const { page } = query;
  return typeof page === 'string' && /^[1-9]\d{0,3}$/.test(page) ? Number(page) - 1 : undefined;
};

/**
 * Identifies a submitted form by its complete content. Undefined for a form that does not name the state from
 * which it was rendered, because a repeat of such a form cannot be distinguished from the same input on a later page.
 * The digest is keyed with the cookie, which is not stored, so a one-time code cannot be found from the digest by
 * brute force.
 */
export const formDigest = ({ form, cookie = '' }: Pick<PageRequest, 'form' | 'cookie'>): string | undefined =>
  form.has('version') ? createHmac('sha256', cookie).update(form.toString()).digest('base64url') : undefined;

/** True if the form contains the CSRF token of this session. */
export const isOwnForm = (pageRequest: PageRequest, csrf: string): boolean => {
  const sent = Buffer.from(pageRequest.form.get('csrf') ?? '');
  const kept = Buffer.from(csrf);
  return !pageRequest.isForeign && sent.length === kept.length && timingSafeEqual(sent, kept);
};

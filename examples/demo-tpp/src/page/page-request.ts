import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Html } from '@xs2a/html/html';
import { timingSafeEqual } from 'node:crypto';
import { type Language, languages, type Notice } from '../catalogue/catalogue.js';
import { pageHeaders, type View } from './page.js';
import type { Session, Sessions } from './sessions.js';
import { Upload } from './upload.js';

/** One request of a browser, with the session it belongs to. */
export interface PageRequest {
  readonly session: Session;
  /** The session id in the browser's cookie. */
  readonly sessionId: string;
  readonly isNew: boolean;
  readonly language: Language;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly form: URLSearchParams;
  /** The file that came with the form. */
  readonly file: Upload['file'];
  /** The person's address, for the bank. */
  readonly ip: string;
  /** True if the form belongs to this session and was not sent by another site. */
  readonly isOwnForm: boolean;
}
export type Answer = { readonly cookie?: string } & (
  | { readonly redirect: string }
  | { readonly page: Html; readonly status?: number; readonly isLive?: boolean }
);

const cookieName = (isSecure: boolean): string => `${isSecure ? '__Host-' : ''}demo_tpp`;

const findCookie = (header: string | undefined, name: string): string | undefined =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);

const parseLanguage = (text: unknown): Language | undefined =>
  languages.find((language) => language === text);

/** The path of a request's URL. It starts with one slash only: with two, a link to it would lead to another host. */
const cleanPath = (url: string): string => `/${url.split(/[?#]/, 1)[0]?.replace(/^[/\\.]+/, '') ?? ''}`;

export const toPageRequest = (
  request: FastifyRequest,
  sessions: Sessions,
  isSecure: boolean,
): PageRequest => {
  const { headers, query, body } = request;
  const asked: Readonly<Record<string, unknown>> = { ...Object(query) };
  const chosen = parseLanguage(asked['lang']);
  const id = findCookie(headers.cookie, cookieName(isSecure));
  const found = sessions.find(id);
  const begun = found === undefined ? sessions.begin(chosen) : { id: id ?? '', session: found };
  const { session } = begun;
  if (chosen !== undefined) session.language = chosen;
  const accepted = parseLanguage(headers['accept-language']?.trim().slice(0, 2).toLowerCase());
  const upload = body instanceof Upload ? body : undefined;
  const form = body instanceof URLSearchParams ? body : (upload?.fields ?? new URLSearchParams());
  const site = headers['sec-fetch-site'];
  const [sent, kept] = [Buffer.from(form.get('csrf') ?? ''), Buffer.from(session.csrf)];
  return {
    session,
    sessionId: begun.id,
    isNew: found === undefined,
    language: session.language ?? accepted ?? 'bg',
    path: cleanPath(request.url),
    query: asked,
    form,
    file: upload?.file,
    ip: request.ip,
    isOwnForm:
      site !== 'cross-site' &&
      site !== 'same-site' &&
      sent.length === kept.length &&
      timingSafeEqual(sent, kept),
  };
};

/** The values for the next page. A notice is removed, so that it is shown once. */
export const toView = ({ session, language, path }: PageRequest): View => {
  const notice: Notice | undefined = session.notice;
  delete session.notice;
  return { language, path, csrf: session.csrf, notice };
};

export const send = async (
  reply: FastifyReply,
  pageRequest: PageRequest,
  answer: Answer,
  { isSecure, bankUrl }: { readonly isSecure: boolean; readonly bankUrl: string },
): Promise<void> => {
  const cookie = answer.cookie ?? (pageRequest.isNew ? pageRequest.sessionId : undefined);
  if (cookie !== undefined)
    reply.header(
      'Set-Cookie',
      `${cookieName(isSecure)}=${cookie}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
    );
  reply.headers({ ...pageHeaders(bankUrl, 'page' in answer && answer.isLive === true) });
  if ('redirect' in answer) await reply.code(303).header('Location', answer.redirect).send('');
  else await reply.code(answer.status ?? 200).send(answer.page.text);
};

import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Logger } from '@xs2a/observability/logger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { page } from './layout.js';
import { html } from '@xs2a/html/html';
import { ApiUnreachable, ClientRefused } from '../workspace/tpp-api.js';
import { SignInNeeded } from '../workspace/visit.js';
import { pageHeadersOf } from './security-headers.js';

/** Answers with a page when a request is refused or fails. */
@Catch()
export class PageFilter implements ExceptionFilter<unknown> {
  constructor(private readonly logger: Logger) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>().headers(pageHeadersOf(request));
    if (error instanceof SignInNeeded || error instanceof ClientRefused) {
      const to = new URLSearchParams({ to: error instanceof SignInNeeded ? error.to : '/workspace' });
      await reply.code(303).header('location', `/workspace/sign-in?${to}`).send('');
      return;
    }
    const status = statusOf(error);
    if (status === 500) this.logger.error({ error }, 'a page failed');
    await reply.code(status).send(errorPage(status, request));
  }
}

/** The page that answers a refused or failed request, by its HTTP status. */
export const errorPage = (status: number, { url }: Pick<FastifyRequest, 'url'>): string => {
  const { title, text } = sentences[status] ?? sentences[status < 500 ? 400 : 500];
  return page({
    path: url,
    title,
    body: html`<h1>${title}</h1>
      <p>${text}</p>
      <p><a class="button" href="/">To the start page</a></p>`,
  }).text;
};

const statusOf = (error: unknown): number => {
  if (error instanceof HttpException) return error.getStatus();
  if (error instanceof ApiUnreachable) return 503;
  const code: unknown = Reflect.get(Object(error), 'statusCode');
  return typeof code === 'number' && code >= 400 && code < 500 ? code : 500;
};

interface Sentences {
  readonly title: string;
  readonly text: string;
}
const sentences: Readonly<Record<number, Sentences>> & Readonly<Record<400 | 500, Sentences>> = {
  400: { title: 'This address is not valid', text: 'Go back and try again.' },
  403: {
    title: 'This form is no longer valid',
    text: 'It is older than your session, or it was sent from another page. Open the page again and send it from there.',
  },
  413: { title: 'This form is too large', text: 'Go back and shorten it.' },
  503: {
    title: 'The bank did not answer',
    text: 'What you asked for may have been done. Open the page again in a few seconds to see.',
  },
  404: {
    title: 'There is no such page',
    text: 'It may have been removed, this bank may not offer what it describes, or the address has a typing error.',
  },
  500: { title: 'This page failed', text: 'Try again in a minute.' },
};

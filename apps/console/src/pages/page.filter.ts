import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import type { Logger } from '@xs2a/observability/logger';
import { isUnavailable } from '@xs2a/postgres/errors';
import { LOGGER } from '@xs2a/runtime/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { signInPath } from '../staff/sign-in.js';
import { SignInNeeded } from '../staff/sign-in-needed.js';
import { bareHeaders, barePage } from './bare-page.js';
import { FormRefused } from './form-refused.js';
import { isRefresh } from './refresh.js';

const home = { to: '/', text: 'To the console' };

/** Answers with a page, or leads to the sign-in, when a request is refused or fails. */
@Catch()
export class PageFilter implements ExceptionFilter<unknown> {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (error instanceof SignInNeeded) {
      // A page that refreshes itself must not begin a sign-in that nobody sees.
      if (isRefresh(request)) return void (await reply.code(401).headers(bareHeaders).send(''));
      return void (await reply.headers(bareHeaders).redirect(signInPath(request), 303));
    }
    if (error instanceof FormRefused) {
      const refused = barePage('The form is not right', error.message, {
        to: error.to,
        text: 'Fill it in again',
      });
      return void (await reply.code(400).headers(bareHeaders).send(refused.text));
    }
    const status = statusOf(error);
    if (status === 500) this.logger.error({ error }, 'a page failed');
    await reply.code(status).headers(bareHeaders).send(errorPage(status));
  }
}

/** The page that answers a refused or failed request, by its HTTP status. */
export const errorPage = (status: number): string => {
  const { title, text } = sentences[status] ?? sentences[status < 500 ? 400 : 500];
  return barePage(title, text, home).text;
};

const statusOf = (error: unknown): number => {
  if (error instanceof HttpException) return error.getStatus();
  const code: unknown = Reflect.get(Object(error), 'statusCode');
  if (typeof code === 'number' && code >= 400 && code < 500) return code;
  // TypeORM wraps the error of the database driver and stores the original in `driverError`.
  return isUnavailable(Reflect.get(Object(error), 'driverError') ?? error) ? 503 : 500;
};

interface Sentences {
  readonly title: string;
  readonly text: string;
}
const sentences: Readonly<Record<number, Sentences>> & Readonly<Record<400 | 500, Sentences>> = {
  400: { title: 'The address or the form is not right', text: 'Go back and try again.' },
  403: { title: 'You may not do this', text: 'Your roles do not allow it, or the form was too old.' },
  404: {
    title: 'Nothing is found',
    text: 'Nothing has this id or address. Look for a typing error, or it is no longer kept: calls, for example, are removed after some weeks.',
  },
  429: { title: 'Too many requests', text: 'Wait a minute and try again.' },
  503: {
    title: 'A service does not answer',
    text: 'This page shows what it knows, so there is nothing to show now. The page Now names the service.',
  },
  500: { title: 'This page failed', text: 'The log of the console says why. Try again in a minute.' },
};

import {
  applyDecorators,
  type ArgumentsHost,
  type CallHandler,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  HttpException,
  Inject,
  Injectable,
  type NestInterceptor,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { html } from '@xs2a/html/html';
import type { Logger } from '@xs2a/observability/logger';
import { CONFIG, LOGGER } from '@xs2a/runtime/tokens';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { isBankDown } from '../bank/bank.js';
import type { Settings } from '../config.js';
import { type Page, page, Redirect } from './layout.js';
import { WireTap } from '../wire/wire-tap.js';
import { type PageRequest, SessionGuard, type Visit } from './visit.js';

/** Marks a class whose handlers take a {@link Visit} and return a page or a redirect. */
export const PageController = (path = ''): ClassDecorator =>
  applyDecorators(
    Controller(path),
    UseGuards(SessionGuard),
    UseInterceptors(PageInterceptor),
    UseFilters(ErrorPageFilter),
  );

/**
 * The headers of a page. A form may be redirected to the bank. A page with change events may run this app's only
 * script file, which may call only this app.
 */
const pageHeaders = (bankUrl: string, isLive: boolean): Record<string, string> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    ...(isLive ? ["script-src 'self'", "connect-src 'self'"] : []),
    `form-action 'self' ${bankUrl}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
});

/** What the user did, in words. */
const clickText = ({ method, visit: { path }, headers }: PageRequest): string => {
  if (path === '/callback' || /\/(?:back|not-signed)$/.test(path)) return 'You came back from the bank';
  // The script of an open page fetches it again after each change that the bank reports.
  if (headers['sec-fetch-dest'] === 'empty') return 'The page updated itself';
  const shown = path.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '…');
  return method === 'GET' ? `You opened ${shown}` : `You sent the form ${shown}`;
};

/** Sends what a handler returns: a page with its headers, a redirect, or anything else unchanged. */
@Injectable()
class PageInterceptor implements NestInterceptor {
  constructor(
    @Inject(CONFIG) private readonly settings: Settings,
    private readonly tap: WireTap,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<PageRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const { wire } = request.visit.session;
    // `handle` keeps the asynchronous context in which it is called for the handler.
    return this.tap
      .during(wire, clickText(request), () => next.handle())
      .pipe(
        map((result: unknown) => {
          if (result instanceof Redirect) {
            reply.code(303).headers({ Location: result.to, 'Cache-Control': 'no-store' });
            return '';
          }
          if (!isPage(result)) return result;
          reply.code(result.status).headers(pageHeaders(this.settings.BANK_URL, result.events !== undefined));
          return result.html.text;
        }),
      );
  }
}

const isPage = (result: unknown): result is Page =>
  typeof result === 'object' && result !== null && 'html' in result;

const errorPages: Readonly<Record<number, readonly [title: string, text: string]>> = {
  403: ['Out of date', 'That form was out of date. Nothing was sent.'],
  404: ['No such page', 'There is nothing at this address.'],
  503: ['The bank is down', 'The bank cannot be reached at this moment. Try again in a few seconds.'],
};
const unexpected = ['Something went wrong', 'The error is ours. Try again in a few seconds.'] as const;

const errorPage = (visit: Visit, status: number): Page => {
  const [title, text] = errorPages[status] ?? unexpected;
  const body = html`<p>${text}</p>
    <p><a href="/">To the first page</a></p>`;
  return page(visit, title, body, { status });
};

/** Shows an error page for every error: an unknown address, a form from another site, a bank that is down. */
@Catch()
class ErrorPageFilter implements ExceptionFilter {
  constructor(
    @Inject(CONFIG) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const shown = errorPage(http.getRequest<PageRequest>().visit, this.toStatus(error));
    await http
      .getResponse<FastifyReply>()
      .code(shown.status)
      .headers(pageHeaders(this.settings.BANK_URL, false))
      .send(shown.html.text);
  }

  private toStatus(error: unknown): number {
    if (error instanceof HttpException) return error.getStatus();
    if (isBankDown(error)) {
      this.logger.warn({ error }, 'the bank is down');
      return 503;
    }
    this.logger.error({ error }, 'unexpected error while rendering a page');
    return 500;
  }
}

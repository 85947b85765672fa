import type { Logger } from '@xs2a/observability/logger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { homePage } from '../accounts/account-pages.js';
import { BankAway } from '../bank/bank.js';
import type { Sessions } from './sessions.js';
import { type Answer, send, type PageRequest, toView, toPageRequest } from './page-request.js';

/** Serves every page: with its session, only for its own forms, and with an error page when the bank is down. */
export class PageAnswers {
  private readonly around: { readonly isSecure: boolean; readonly bankUrl: string };

  constructor(
    private readonly sessions: Sessions,
    settings: { readonly OWN_URL: string; readonly BANK_URL: string },
    private readonly logger: Logger,
  ) {
    this.around = { isSecure: settings.OWN_URL.startsWith('https:'), bankUrl: settings.BANK_URL };
  }

  pageRequest(request: FastifyRequest): PageRequest {
    return toPageRequest(request, this.sessions, this.around.isSecure);
  }

  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (pageRequest: PageRequest) => Promise<Answer>,
  ): Promise<void> {
    const pageRequest = this.pageRequest(request);
    const { session } = pageRequest;
    if (request.method !== 'GET' && !pageRequest.isOwnForm) {
      session.notice = 'out-of-date';
      const page = homePage(toView(pageRequest), session.connection !== undefined);
      await send(reply, pageRequest, { page, status: 403 }, this.around);
      return;
    }
    const answer = await work(pageRequest).catch((error: unknown): Answer => {
      const isAway = error instanceof BankAway;
      if (isAway) this.logger.warn({ error }, 'the bank is down');
      else this.logger.error({ error }, 'unexpected error while rendering a page');
      session.notice = 'away';
      const page = homePage(toView(pageRequest), session.connection !== undefined);
      return { page, status: isAway ? 503 : 500 };
    });
    await send(reply, pageRequest, answer, this.around);
  }
}

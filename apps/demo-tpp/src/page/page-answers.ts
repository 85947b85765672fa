import type { Logger } from '@xs2a/observability/logger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { homePage } from '../accounts/account-pages.js';
import { BankAway } from '../bank/bank.js';
import type { Sessions } from './sessions.js';
import { type Answer, send, type Visit, viewOf, visitOf } from './visit.js';

/** How every page is answered: with its session, its own forms alone, and a page also when the bank is away. */
export class PageAnswers {
  private readonly around: { readonly isSecure: boolean; readonly bankUrl: string };

  constructor(
    private readonly sessions: Sessions,
    settings: { readonly OWN_URL: string; readonly BANK_URL: string },
    private readonly logger: Logger,
  ) {
    this.around = { isSecure: settings.OWN_URL.startsWith('https:'), bankUrl: settings.BANK_URL };
  }

  visit(request: FastifyRequest): Visit {
    return visitOf(request, this.sessions, this.around.isSecure);
  }

  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (visit: Visit) => Promise<Answer>,
  ): Promise<void> {
    const visit = this.visit(request);
    const { session } = visit;
    if (request.method !== 'GET' && !visit.isOwnForm) {
      session.notice = 'out-of-date';
      const page = homePage(viewOf(visit), session.connection !== undefined);
      await send(reply, visit, { page, status: 403 }, this.around);
      return;
    }
    const answer = await work(visit).catch((error: unknown): Answer => {
      const isAway = error instanceof BankAway;
      if (isAway) this.logger.warn({ error }, 'the bank is away');
      else this.logger.error({ error }, 'a page failed');
      session.notice = 'away';
      const page = homePage(viewOf(visit), session.connection !== undefined);
      return { page, status: isAway ? 503 : 500 };
    });
    await send(reply, visit, answer, this.around);
  }
}

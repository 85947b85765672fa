import { Controller, Get, NotFoundException, Param, Post, Query, UseGuards } from '@nestjs/common';
import { isUuid } from '@xs2a/domain/text/uuid';
import type { Html } from '@xs2a/html/html';
import { bodyOf, refusalNote } from '../workspace/answers.js';
import { TppApi } from '../workspace/tpp-api.js';
import { TppGuard, type TppVisit, VisitGuard, Visiting } from '../workspace/visit.js';
import { note } from '../workspace/workspace-page.js';
import type { OwnConsent, OwnPayment, TimelineEvent } from './own-things.js';
import { consentsPage, paymentPage, paymentsPage } from './payments-pages.js';
import { readList } from './read-list.js';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const doneTexts = {
  settle: 'The settlement ran. What happened is below.',
  expire: 'The payment has expired.',
} as const;

/** The payments and consents of the TPP. */
@Controller('workspace')
@UseGuards(VisitGuard, TppGuard)
export class OwnThingsController {
  constructor(private readonly api: TppApi) {}

  @Get('payments')
  async payments(@Visiting() { session, tpp }: TppVisit, @Query('cursor') cursor: unknown): Promise<Html> {
    return paymentsPage(session, await readList<OwnPayment>(this.api, tpp, 'payments', textOf(cursor)));
  }

  @Get('payments/:paymentId')
  async payment(@Visiting() visit: TppVisit, @Param('paymentId') paymentId: string): Promise<Html> {
    return this.paymentShown(visit, paymentId);
  }

  @Post('payments/:paymentId')
  async act(@Visiting() visit: TppVisit, @Param('paymentId') paymentId: string): Promise<Html> {
    const action = visit.form.get('action');
    if (!isUuid(paymentId) || (action !== 'settle' && action !== 'expire')) throw new NotFoundException();
    const answer = await this.api.send(visit.tpp, {
      method: 'POST',
      path: `/sandbox/payments/${paymentId}/${action}`,
    });
    return this.paymentShown(visit, paymentId, refusalNote(answer) ?? note('good', doneTexts[action]));
  }

  @Get('consents')
  async consents(@Visiting() visit: TppVisit, @Query('cursor') cursor: unknown): Promise<Html> {
    return this.consentsShown(visit, textOf(cursor));
  }

  @Post('consents')
  async expire(@Visiting() visit: TppVisit): Promise<Html> {
    const consentId = visit.form.get('consentId') ?? '';
    if (!isUuid(consentId)) throw new NotFoundException();
    const answer = await this.api.send(visit.tpp, {
      method: 'POST',
      path: `/sandbox/consents/${consentId}/expire`,
    });
    return this.consentsShown(
      visit,
      undefined,
      refusalNote(answer) ?? note('good', 'The consent has expired.'),
    );
  }

  private async consentsShown(
    { session, tpp }: TppVisit,
    cursor: string | undefined,
    message?: Html,
  ): Promise<Html> {
    return consentsPage(session, await readList<OwnConsent>(this.api, tpp, 'consents', cursor), message);
  }

  private async paymentShown({ session, tpp }: TppVisit, paymentId: string, message?: Html): Promise<Html> {
    if (!isUuid(paymentId)) throw new NotFoundException();
    const answer = await this.api.send(tpp, {
      method: 'GET',
      path: `/sandbox/payments/${paymentId}/timeline`,
    });
    const timeline = bodyOf<{ readonly events: readonly TimelineEvent[]; readonly leftOut: number }>(answer);
    return paymentPage({ session, paymentId, ...timeline, message });
  }
}

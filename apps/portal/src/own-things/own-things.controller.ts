import { Controller, Get, NotFoundException, Param, Post, Query, UseGuards } from '@nestjs/common';
import { isUuid } from '@xs2a/domain/text/uuid';
import type { Html } from '@xs2a/html/html';
import { bodyOf, refusalNote } from '../workspace/answers.js';
import { ApiUnreachable, TppApi } from '../workspace/tpp-api.js';
import { TppGuard, type TppVisit, VisitGuard, Visiting } from '../workspace/visit.js';
import { keyOf, note } from '../workspace/workspace-page.js';
import { consentPage, consentsPage } from './consents-pages.js';
import type { OwnConsent, OwnPayment, TimelineEvent } from './own-things.js';
import { paymentPage, paymentsPage } from './payments-pages.js';
import { readList } from './read-list.js';
import { startSigning } from './signing.js';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const doneTexts = {
  settle: 'The settlement ran. What happened is below.',
  expire: 'The payment has expired.',
  cancel: 'The payment is cancelled.',
} as const;
const doneWithConsent = { expire: 'The consent has expired.', end: 'The consent has ended.' } as const;

interface Timeline {
  readonly events: readonly TimelineEvent[];
  readonly leftOut: number;
  readonly _links: { readonly self?: { readonly href: string } };
}

/** The calls behind the buttons of a payment. `self`: where it is in the API. */
const paymentCalls = {
  settle: ({ paymentId }: Own) => ({ method: 'POST', path: `/sandbox/payments/${paymentId}/settle` }),
  expire: ({ paymentId }: Own) => ({ method: 'POST', path: `/sandbox/payments/${paymentId}/expire` }),
  cancel: ({ self, key }: Own) => ({ method: 'DELETE', path: self, headers: { 'idempotency-key': key } }),
} as const;
interface Own {
  readonly paymentId: string;
  readonly self: string;
  readonly key: string;
}
type PaymentAction = keyof typeof paymentCalls;
const isPaymentAction = (name: string): name is PaymentAction => Object.hasOwn(paymentCalls, name);

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
    const { form, tpp } = visit;
    const action = form.get('action') ?? '';
    const { _links } = await this.timelineOf(visit, `payments/${paymentId}`);
    const self = _links.self?.href;
    if (self === undefined) throw new ApiUnreachable('no link to the payment');
    if (action === 'sign')
      return this.paymentShown(visit, paymentId, await startSigning(this.api, visit, self));
    if (!isPaymentAction(action)) throw new NotFoundException();
    const answer = await this.api.send(tpp, paymentCalls[action]({ paymentId, self, key: keyOf(form) }));
    return this.paymentShown(visit, paymentId, refusalNote(answer) ?? note('good', doneTexts[action]));
  }

  @Get('consents')
  async consents(@Visiting() visit: TppVisit, @Query('cursor') cursor: unknown): Promise<Html> {
    return this.consentsShown(visit, textOf(cursor));
  }

  @Get('consents/:consentId')
  async consent(@Visiting() visit: TppVisit, @Param('consentId') consentId: string): Promise<Html> {
    const { events, leftOut } = await this.timelineOf(visit, `consents/${consentId}`);
    return consentPage({ session: visit.session, consentId, events, leftOut });
  }

  @Post('consents')
  async actOnConsent(@Visiting() visit: TppVisit): Promise<Html> {
    const { form, tpp } = visit;
    const [consentId, action] = [form.get('consentId') ?? '', form.get('action') ?? ''];
    if (!isUuid(consentId)) throw new NotFoundException();
    const self = `/v1/consents/${consentId}`;
    if (action === 'sign')
      return this.consentsShown(visit, undefined, await startSigning(this.api, visit, self));
    if (action !== 'expire' && action !== 'end') throw new NotFoundException();
    const answer = await this.api.send(
      tpp,
      action === 'end'
        ? { method: 'DELETE', path: self }
        : { method: 'POST', path: `/sandbox/consents/${consentId}/expire` },
    );
    const message = refusalNote(answer) ?? note('good', doneWithConsent[action]);
    return this.consentsShown(visit, undefined, message);
  }

  private async consentsShown(
    { session, tpp }: TppVisit,
    cursor: string | undefined,
    message?: Html,
  ): Promise<Html> {
    return consentsPage(session, await readList<OwnConsent>(this.api, tpp, 'consents', cursor), message);
  }

  private async paymentShown(visit: TppVisit, paymentId: string, message?: Html): Promise<Html> {
    const { events, leftOut } = await this.timelineOf(visit, `payments/${paymentId}`);
    return paymentPage({ session: visit.session, paymentId, events, leftOut, message });
  }

  /** `resource`: `payments/` or `consents/` with an id. Throws NotFoundException unless the resource is one of the TPP. */
  private async timelineOf(
    { tpp }: TppVisit,
    resource: `${'payments' | 'consents'}/${string}`,
  ): Promise<Timeline> {
    if (!isUuid(resource.split('/')[1])) throw new NotFoundException();
    const path = `/sandbox/${resource}/timeline`;
    return bodyOf<Timeline>(await this.api.send(tpp, { method: 'GET', path }));
  }
}

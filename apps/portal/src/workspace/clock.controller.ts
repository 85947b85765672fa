import { Controller, Get, Inject, Post, UseGuards } from '@nestjs/common';
import { type Html, html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG } from '@xs2a/runtime/tokens';
import type { PortalConfig } from '../config.js';
import type { OwnConsent, OwnPayment } from '../own-things/own-things.js';
import { readList } from '../own-things/read-list.js';
import { bodyOf, jsonOf, refusalNote } from './answers.js';
import { type ClockMove, type ClockShown, clockPage, type Due } from './clock-page.js';
import type { Credentials } from './session.js';
import { TppApi } from './tpp-api.js';
import { TppGuard, type TppVisit, VisitGuard, Visiting } from './visit.js';

/** How much of what falls due is shown. */
const maxDue = 10;

/** The clock of the sandbox. */
@Controller('workspace/clock')
@UseGuards(VisitGuard, TppGuard)
export class ClockController {
  constructor(
    private readonly api: TppApi,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: PortalConfig,
  ) {}

  @Get()
  async show(@Visiting() visit: TppVisit): Promise<Html> {
    return this.shown(visit, { hasMoved: false });
  }

  @Post()
  async advance(@Visiting() visit: TppVisit): Promise<Html> {
    const advance = visit.form.get('advance') ?? '';
    const answer = await this.api.send(visit.tpp, {
      method: 'POST',
      path: '/sandbox/clock',
      body: JSON.stringify({ advance }),
    });
    const refusal = refusalNote(answer);
    if (refusal !== undefined) return this.shown(visit, { hasMoved: false, refusal, advance });
    // This process may not have heard of the move yet.
    return this.shown(visit, { hasMoved: true, now: jsonOf<{ readonly now: string }>(answer).now });
  }

  private async shown(
    { session, tpp }: TppVisit,
    result: Pick<ClockShown, 'hasMoved' | 'refusal' | 'advance'> & { readonly now?: string },
  ): Promise<Html> {
    const now = result.now ?? this.clock.now();
    // The clock is moved by whole seconds; the answer with its time took less than half a second.
    const offsetMs = Math.round((Date.parse(now) - this.clock.realMs) / 1000) * 1000;
    const [moves, due] = await Promise.all([this.readMoves(tpp), this.readDue(tpp)]);
    const isFixed = this.config.SANDBOX_CLOCK === 'fixed';
    return clockPage({ session, offsetMs, isFixed, moves, due, ...result, now });
  }

  private async readMoves(tpp: Credentials): Promise<readonly ClockMove[]> {
    const answer = await this.api.send(tpp, { method: 'GET', path: '/sandbox/clock/moves' });
    return bodyOf<{ readonly moves: readonly ClockMove[] }>(answer).moves;
  }

  /** What falls due next of the newest payments and consents. */
  private async readDue(tpp: Credentials): Promise<readonly Due[]> {
    const [payments, consents] = await Promise.all([
      readList<OwnPayment>(this.api, tpp, 'payments'),
      readList<OwnConsent>(this.api, tpp, 'consents'),
    ]);
    return [...payments.items.flatMap(dueOfPayment), ...consents.items.flatMap(dueOfConsent)]
      .toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
      .slice(0, maxDue);
  }
}

const dueOfPayment = ({ paymentId, paymentService, amount, dueAt }: OwnPayment): Due[] =>
  dueAt === undefined
    ? []
    : [
        {
          at: dueAt,
          what: html`<a href="/workspace/payments/${paymentId}"><b>${amount.amount} ${amount.currency}</b></a>
            <span class="quiet">${paymentService}</span>`,
        },
      ];

const dueOfConsent = ({ consentId, consentStatus, validUntil, recurringIndicator }: OwnConsent): Due[] =>
  consentStatus === 'valid'
    ? [
        {
          at: validUntil,
          what: html`<span
              >a <a href="/workspace/consents">consent</a> ends${
                recurringIndicator ? '' : ', or earlier: 20 minutes after its first answered call'
              }</span
            >
            <code>${consentId}</code>`,
        },
      ]
    : [];

/** A day comes after all moments of it. */
const orderOf = ({ at }: Due): string => (at.includes('T') ? at : `${at}T99`);

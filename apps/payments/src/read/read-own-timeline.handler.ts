import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { type OwnPaymentEvent, readOwnTimeline } from '@xs2a/contracts/sandbox/own-payments.contract';
import { maxTimelineEvents, type TimelineEvent } from '@xs2a/contracts/timeline.contract';
import type { PaymentEventType } from '@xs2a/domain/payment/payment-events';
import { readTimeline } from '@xs2a/resources/timeline';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { PaymentReads } from './payment-reads.js';

type Member = Exclude<keyof OwnPaymentEvent, 'time' | 'type' | 'status'>;

/** The members of each event that its TPP sees; `hidden` for an event that is a step inside the bank. */
const shown: Readonly<Record<PaymentEventType, readonly Member[] | 'hidden'>> = {
  initiated: [],
  'order-initiated': [],
  'bulk-initiated': [],
  'authorisation-started': ['authorisationId'],
  grouped: ['basketId'],
  ungrouped: ['basketId'],
  accepted: ['authorisationId'],
  'signer-identified': ['authorisationId'],
  'payee-verified': [],
  'partly-signed': ['authorisationId'],
  signed: ['authorisationId', 'executionDate', 'dueAt'],
  'brought-forward': ['dueAt'],
  'converted-to-euro': ['executionDate', 'dueAt'],
  'funds-refused': [],
  'settlement-started': [],
  'instant-answered': 'hidden',
  'instant-rejected': ['reasonCode'],
  'instant-answered-late': 'hidden',
  settled: [],
  'entry-booked': 'hidden',
  'transaction-planned': ['number', 'executionDate', 'dueAt'],
  'transaction-started': ['number'],
  'transaction-answered': 'hidden',
  'transaction-rejected': ['number', 'reasonCode'],
  'transaction-settled': ['number'],
  'transaction-refused': ['number'],
  completed: [],
  'partly-completed': [],
  rejected: ['authorisationId', 'reason'],
  cancelled: [],
};
const membersOf = new Map<string, readonly Member[] | 'hidden'>(Object.entries(shown));

/** A TPP in the sandbox reads the history of its payment (contract 13). */
export class ReadOwnTimeline extends QueryOf(readOwnTimeline) {}

@QueryHandler(ReadOwnTimeline)
export class ReadOwnTimelineHandler implements IQueryHandler<ReadOwnTimeline> {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly reads: PaymentReads,
  ) {}

  async execute({ request }: ReadOwnTimeline): Promise<AnswerOf<typeof readOwnTimeline>> {
    const payment = await this.reads.requireOwn(request);
    const stream = await readTimeline(this.pool, 'payments', request.paymentId, maxTimelineEvents);
    // The events of an old payment are in its archive only.
    const { events, leftOut } = stream ?? { events: [], leftOut: 0 };
    return { events: events.flatMap(toOwnEvent), leftOut, payment };
  }
}

/** Returns nothing for an event that the TPP does not see, which an event of a later release is too. */
const toOwnEvent = ({ at, type, status, data }: TimelineEvent): OwnPaymentEvent[] => {
  const members = membersOf.get(type) ?? 'hidden';
  if (members === 'hidden') return [];
  const own = Object.fromEntries(members.flatMap((name) => (name in data ? [[name, data[name]]] : [])));
  return [{ time: at, type, status: status ?? undefined, ...own }];
};

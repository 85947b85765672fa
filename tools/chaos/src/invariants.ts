import type { NatsConnection } from '@nats-io/transport-node';
import { ledgerViolations } from '@xs2a/core-banking/sandbox/ledger-invariants';
import { eventStoreViolations } from '@xs2a/event-store/violations';
import { dueLeft } from './due-left.js';
import { bookingViolations, countOf, debitViolations, windowViolations } from './cross-checks.js';
import type { Schemas } from './schemas.js';

/** One of the eight invariants of quality.md, Reliability, as it was found. */
export interface Invariant {
  readonly number: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  readonly rule: string;
  /** How many things were looked at, and what they are. */
  readonly checked: string;
  /** A sentence each; none: it holds. Ids, never personal data. */
  readonly violations: readonly string[];
}

export interface InvariantSources {
  readonly schemas: Schemas;
  /** An operator's connection. */
  readonly nats: NatsConnection;
  /** What clients know (invariant 3 and their part of 8); absent: what the database tells. */
  readonly clients?: () => Promise<ClientFindings>;
}
export interface ClientFindings {
  readonly acknowledged: number;
  readonly violations: readonly string[];
  readonly windows: readonly string[];
}

/**
 * Checks all invariants of the running system: nothing lost, nothing twice. Reads everything, so it takes seconds per
 * million events. For the fault runs and for an operator's deep check.
 */
export const checkInvariants = async ({
  schemas,
  nats,
  clients,
}: InvariantSources): Promise<readonly Invariant[]> => {
  const [payments, consents, accounts] = (['payments', 'consents', 'accounts'] as const).map((schema) =>
    schemas.of(schema),
  );
  if (payments === undefined || consents === undefined || accounts === undefined) return [];
  const events = [
    ...(await eventStoreViolations(payments, 'payments', { nats })),
    ...(await eventStoreViolations(consents, 'consents', { nats })),
  ];
  const of = (number: number): string[] =>
    events.filter(({ invariant }) => invariant === number).map(({ text }) => text);
  const told = await clients?.();
  const count = async (what: string, table: `${string}.${string}`): Promise<string> =>
    `${(await countOf(schemas, table)).toLocaleString('en-US')} ${what}`;
  return [
    {
      number: 1,
      rule: 'debits = credits per currency; counters = sums of transfers; no overdraft',
      checked: await count('transfers', 'accounts.transfer'),
      violations: await ledgerViolations(accounts),
    },
    {
      number: 2,
      rule: 'at most one hold, one post or void, one ACSC per payment, equal amounts',
      checked: await count('payments', 'payments.payment_view'),
      violations: await bookingViolations(schemas),
    },
    {
      number: 3,
      rule: 'every acknowledged resource readable, status never backwards',
      checked: `${(told?.acknowledged ?? 0).toLocaleString('en-US')} acknowledged by clients`,
      violations: told?.violations ?? [],
    },
    {
      number: 4,
      rule: 'every event once; versions and positions without gaps; stream sequence = position',
      checked: `${await count('payment', 'payments.events')} and ${await count('consent events', 'consents.events')}`,
      violations: of(4),
    },
    {
      number: 5,
      rule: 'a projection rebuilt from zero equals the live one',
      checked: `${await count('payments', 'payments.payment_view')}, ${await count('consents', 'consents.consent_view')}`,
      violations: of(5),
    },
    {
      number: 6,
      rule: 'only transitions of the table; nothing debited after CANC; no hold without funds',
      checked: await count('payments', 'payments.payment_view'),
      violations: [...of(6), ...(await debitViolations(schemas))],
    },
    {
      number: 7,
      rule: 'nothing due is left',
      checked: await count('due entries to come', 'settlement.due'),
      violations: await dueLeft({ schemas, nats }),
    },
    {
      number: 8,
      rule: 'unattended reads at most as often as allowed in any 24 hours',
      checked: await count('counters', 'consents.access_window'),
      violations: [...(await windowViolations(schemas)), ...(told?.windows ?? [])],
    },
  ];
};

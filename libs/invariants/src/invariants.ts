import { resources } from '@xs2a/resources/resources';
import type { NatsConnection } from '@nats-io/transport-node';
import { ledgerViolations } from '@xs2a/core-banking/sandbox/ledger/ledger-invariants';
import { eventStoreViolations, type Violation } from '@xs2a/event-store/verification/violations';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import { basketUpdateViolations, groupedItemViolations } from './basket-checks.js';
import {
  bookingViolations,
  counters,
  debitViolations,
  eventOnlyViolations,
  forgottenAnswers,
  hasLedger,
  windowViolations,
} from './cross-checks.js';
import { overdue } from './due-left.js';
import { instantEntryViolations, instantOutcomeViolations } from './instant-checks.js';
import { payeeViolations } from './payee-checks.js';
import { baskets, countRows, type Paged, paymentEvents, payments } from './paged.js';
import { projectionViolations, listStatusViews, type ReadModels } from './projection-check.js';
import type { Schema } from './schemas.js';
import {
  countSettledTransactions,
  eventOnlyTransactionViolations,
  transactionViolations,
} from './transaction-checks.js';

/** The result of checking one invariant. */
interface Finding {
  /** What was checked: the number and kind of items. */
  readonly checked: string;
  /** One sentence per violation; empty if the invariant holds. Contains ids, never personal data. */
  readonly violations: readonly string[];
}

/** The result for one of the eight invariants of docs/quality.md. */
export interface Invariant extends Finding {
  readonly number: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  readonly rule: string;
}
export interface InvariantCheck extends Pick<Invariant, 'number' | 'rule'> {
  check(): Promise<Finding>;
}

export interface InvariantSources {
  /** Pools of at least three connections each. Their role must be a superuser or own the schemas. */
  readonly schemas: { of(schema: Schema): Pool };
  /** Opens a connection with the operator's privileges. */
  readonly nats: () => Promise<NatsConnection>;
  readonly readModels: ReadModels;
  /** The bank's time zone; default Europe/Sofia. */
  readonly timeZone?: string;
  /** Whether the bank's profile has payees verified before the signature. Default: false. */
  readonly verifiesPayees?: boolean;
  /**
   * The findings of the test clients (all of invariant 3 and part of invariant 8). If absent, only the database is
   * checked.
   */
  readonly clients?: () => Promise<ClientFindings>;
}
export interface ClientFindings {
  readonly acknowledged: number;
  readonly violations: readonly string[];
  readonly windows: readonly string[];
}

/**
 * A violation counts only if it persists for this many milliseconds, so that work completed between two statements
 * is not reported as a violation.
 */
const momentMs = 1500;
const lasting = async (ask: () => Promise<readonly string[]>): Promise<readonly string[]> => {
  const first = await ask();
  if (first.length === 0) return first;
  await wait(momentMs);
  const second = new Set(await ask());
  return first.filter((violation) => second.has(violation));
};

const noLedger = 'the ledger is not the sandbox bank’s: the core bank keeps its own';

/** The sources, together with the results that several checks share. */
const inquiry = (sources: InvariantSources) => {
  const { schemas, clients, nats, readModels, timeZone = 'Europe/Sofia', verifiesPayees = false } = sources;
  const count = async (what: string, of: Paged): Promise<string> =>
    `${(await countRows(schemas, of)).toLocaleString('en-US')} ${what}`;
  const events = once(async () => {
    const violations: Violation[] = [];
    for (const resource of ['payments', 'consents'] as const) {
      const options = { nats: await nats(), stores: listStatusViews(readModels, resource, timeZone) };
      violations.push(...(await eventStoreViolations(schemas.of(resource), resources[resource], options)));
    }
    return violations;
  });
  return {
    schemas,
    nats,
    readModels,
    timeZone,
    verifiesPayees,
    count,
    payments: async (): Promise<string> => count('payments', payments),
    transactions: async (): Promise<string> =>
      `${(await countSettledTransactions(schemas)).toLocaleString('en-US')} occurrences and entries settled`,
    ofEvents: async (number: number): Promise<string[]> =>
      (await events()).filter(({ invariant }) => invariant === number).map(({ text }) => text),
    readClientFindings: once(async () => clients?.()),
    ledger: once(async () => hasLedger(schemas)),
  };
};
type Inquiry = ReturnType<typeof inquiry>;

const moneyChecks = ({
  schemas,
  count,
  payments,
  transactions,
  ledger,
}: Inquiry): readonly InvariantCheck[] => [
  {
    number: 1,
    rule: 'debits = credits per currency; counters = sums of transfers; no overdraft',
    check: async () =>
      (await ledger())
        ? {
            checked: await count('transfers', { table: 'accounts.transfer', key: 'id' }),
            violations: await ledgerViolations(schemas.of('accounts')),
          }
        : { checked: noLedger, violations: [] },
  },
  {
    number: 2,
    rule: 'at most one hold, one post or void, one ACSC per payment, occurrence or entry, equal amounts; an instant payment ends as the payee’s bank answered; each item of a basket updated once',
    check: async () => ({
      checked: `${await payments()}, ${await transactions()}${(await ledger()) ? '' : `; ${noLedger}`}`,
      violations: await lasting(async () => [
        ...((await ledger())
          ? [
              ...(await bookingViolations(schemas)),
              ...(await transactionViolations(schemas)),
              ...(await instantEntryViolations(schemas)),
            ]
          : [...(await eventOnlyViolations(schemas)), ...(await eventOnlyTransactionViolations(schemas))]),
        ...(await instantOutcomeViolations(schemas)),
        ...(await basketUpdateViolations(schemas)),
      ]),
    }),
  },
];

const eventChecks = ({
  schemas,
  count,
  payments,
  ledger,
  ofEvents,
  readClientFindings,
  readModels,
  timeZone,
  verifiesPayees,
}: Inquiry): readonly InvariantCheck[] => [
  {
    number: 3,
    rule: 'every acknowledged resource readable, status never backwards',
    check: async () => {
      const { answers, violations } = await forgottenAnswers(schemas);
      const known = await readClientFindings();
      return {
        checked: `${answers.toLocaleString('en-US')} answers kept for repeats${known === undefined ? '' : `, ${known.acknowledged.toLocaleString('en-US')} acknowledged by clients`}`,
        violations: [...violations, ...(known?.violations ?? [])],
      };
    },
  },
  {
    number: 4,
    rule: 'every event once; versions and positions without gaps; the published copy in the same order',
    check: async () => ({
      checked: `${await count('payment', paymentEvents)} and ${await count('consent events', { table: 'consents.events' })}, and their copies in JetStream`,
      violations: await ofEvents(4),
    }),
  },
  {
    number: 5,
    rule: 'a projection rebuilt from zero equals the live one',
    check: async () => {
      const { compared, violations } = await projectionViolations(
        readModels,
        schemas.of('payments'),
        timeZone,
      );
      return {
        checked: `${await payments()}, ${await count('consents', { table: 'consents.consent_view' })}, ${compared} asynchronous projections`,
        violations: [...(await ofEvents(5)), ...violations],
      };
    },
  },
  {
    number: 6,
    rule: 'only transitions of the table; nothing signed before its payees were verified, nor debited unsigned or after CANC; no hold without funds; an item moves only with its basket',
    check: async () => ({
      checked: `${await payments()}, ${await count('signing baskets', baskets)}`,
      violations: [
        ...(await ofEvents(6)),
        ...(await lasting(async () => [
          ...((await ledger()) ? await debitViolations(schemas) : []),
          ...(await groupedItemViolations(schemas)),
          ...(verifiesPayees ? await payeeViolations(schemas) : []),
        ])),
      ],
    }),
  },
];

const timeChecks = ({
  schemas,
  nats,
  count,
  payments,
  ledger,
  readClientFindings,
}: Inquiry): readonly InvariantCheck[] => [
  {
    number: 7,
    rule: 'nothing due is left for more than 10 s',
    check: async () => ({
      checked: `${await payments()}`,
      violations: await overdue({ schemas, nats: await nats(), ledger: await ledger() }),
    }),
  },
  {
    number: 8,
    rule: 'unattended reads at most as often as allowed in any 24 hours',
    check: async () => ({
      checked: await count('counters', counters),
      violations: [...(await windowViolations(schemas)), ...((await readClientFindings())?.windows ?? [])],
    }),
  },
];

/**
 * The checks of all invariants on the running system: nothing was lost and nothing was duplicated. They read all
 * data, so they take several seconds per million events, but they can run while the services work. The fault runs
 * and the operator's deep check use them.
 */
export const invariantChecks = (sources: InvariantSources): readonly InvariantCheck[] => {
  const at = inquiry(sources);
  return [...moneyChecks(at), ...eventChecks(at), ...timeChecks(at)];
};

/** Runs all of {@link invariantChecks}, one at a time. */
export const checkInvariants = async (sources: InvariantSources): Promise<readonly Invariant[]> => {
  const found: Invariant[] = [];
  for (const { number, rule, check } of invariantChecks(sources))
    found.push({ number, rule, ...(await check()) });
  return found;
};

const once = <Value>(ask: () => Promise<Value>): (() => Promise<Value>) => {
  let answer: Promise<Value> | undefined;
  return async () => (answer ??= ask());
};

import type { EventResource } from '@xs2a/contracts/published-event';
import { ledgerViolations } from '@xs2a/core-banking/sandbox/ledger-invariants';
import { eventStoreViolations } from '@xs2a/event-store/violations';
import type { Connections } from './connections.js';
import type { Check, Outcome } from './doctor-check.js';
import { definedProjections, differingRows, timeZoneOf } from './read-models.js';

const mostShown = 5;

const outcomeOf = (holds: string, violations: readonly string[], mend: string): Outcome => {
  if (violations.length === 0) return { ok: true, text: holds };
  const more = violations.length > mostShown ? `; and ${violations.length - mostShown} more` : '';
  return { ok: false, text: violations.slice(0, mostShown).join('; ') + more, mend };
};

/** Invariants 1 and 2 of quality.md. */
const ledger = async (connections: Connections): Promise<Outcome> => {
  const pool = connections.pool('accounts');
  const { rows } = await pool.query<{ exists: boolean }>(
    "SELECT to_regclass('transfer') IS NOT NULL AS exists",
  );
  if (rows[0]?.exists !== true)
    return { ok: true, text: 'not the sandbox bank’s: the core bank keeps its own' };
  const holds = 'debits = credits, counters = sums of transfers, one hold and one completion a payment';
  return outcomeOf(holds, await ledgerViolations(pool), 'npm run xs2a -- events show PAYMENT_ID');
};

/** Invariants 4, 5 (status view) and 6. */
const events =
  (resource: EventResource) =>
  async (connections: Connections): Promise<Outcome> => {
    const violations = await eventStoreViolations(connections.pool(resource), resource, {
      nats: await connections.nats(),
      timeZone: timeZoneOf(connections),
    });
    const holds = 'each event once, positions = stream, views = events, only transitions of the lifecycle';
    const texts = violations.map(({ invariant, text }) => `(${invariant}) ${text}`);
    return outcomeOf(holds, texts, `npm run xs2a -- events verify --resource ${resource}`);
  };

/** Invariant 5: each projection is built from zero beside the live one, compared, and removed. */
const projections = async (connections: Connections): Promise<Outcome> => {
  for (const projection of await definedProjections(connections)) {
    const rows = await differingRows(connections, projection);
    if (rows === 0) continue;
    const text = `${rows} rows of ${projection.name} are not what the events say`;
    return { ok: false, text, mend: `npm run xs2a -- projections rebuild ${projection.name}` };
  }
  return { ok: true, text: 'each equals one built from zero' };
};

export const deepChecks: readonly Check[] = [
  { name: 'deep: ledger', needs: ['postgres'], run: ledger },
  { name: 'deep: payments', needs: ['postgres', 'nats'], run: events('payments') },
  { name: 'deep: consents', needs: ['postgres', 'nats'], run: events('consents') },
  { name: 'deep: projections', needs: ['postgres'], run: projections },
];

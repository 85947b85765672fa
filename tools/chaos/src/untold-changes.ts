import type { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { uuidv5 } from '@xs2a/runtime/ids';
import type { Pool } from 'pg';

/** The preference with which the clients register: each change of the status is told, and nothing else. */
export const toldContent = 'status=PROCESS';

/** The status after an event, where it has one of its own; an unfunded payment is told as another one. */
const statusAfter: Readonly<Record<string, string>> = {
  initiated: 'RCVD',
  accepted: 'ACCP',
  'partly-signed': 'PATC',
  signed: 'ACCP',
  'funds-refused': 'ACCP-',
  'settlement-started': 'ACSP',
  settled: 'ACSC',
  rejected: 'RJCT',
  cancelled: 'CANC',
};

interface Row {
  readonly stream_id: string;
  readonly event_id: string;
  readonly type: string;
}

/** Events that changed a payment's status, in order. */
const changesOf = (events: readonly Row[]): Row[] => {
  let status: string | undefined;
  return events.filter(({ type }) => {
    const before = status;
    status = statusAfter[type] ?? before;
    return before !== undefined && status !== before;
  });
};

/**
 * Changes of payments that the TPP was never told, or was told before an earlier one (contract 11: at least once, in order per
 * resource). What it was told of events that a database lost counts for nothing.
 */
export const untoldChanges = async (
  payments: Pool,
  receiver: Pick<HttpReceiver, 'posts'>,
): Promise<string[]> => {
  const { rows } = await payments.query<Row>(
    `SELECT e.stream_id, e.event_id, e.type FROM events e JOIN payment_view v USING (stream_id)
     WHERE v.notified ORDER BY e.stream_id, e.version`,
  );
  const firstAt = new Map<unknown, number>();
  for (const [index, { headers }] of receiver.posts.entries()) {
    const id = headers['x-request-id'];
    if (!firstAt.has(id)) firstAt.set(id, index);
  }
  const violations: string[] = [];
  for (const [paymentId, events] of Map.groupBy(rows, ({ stream_id }) => stream_id)) {
    let last = -1;
    for (const { event_id, type } of changesOf(events)) {
      const at = firstAt.get(uuidv5('notification 0', event_id));
      if (at === undefined) violations.push(`payment ${paymentId}: its TPP was not told of ${type}`);
      else if (at < last) violations.push(`payment ${paymentId}: its TPP was told of ${type} too early`);
      last = Math.max(last, at ?? last);
    }
  }
  return violations;
};

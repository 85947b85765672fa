import type { CallsLeftOut } from '@xs2a/contracts/console.contract';
import type { Pool } from 'pg';
import { counted, table } from '../command-line/output.js';
import { type Bank, whyLines } from './why-lines.js';

/** An answered call of the API, as the gateway reported it (docs/adr/0077). */
export interface ListedCall {
  /** When the request arrived, in real time. */
  readonly time: string;
  readonly requestId: string;
  readonly traceId: string | null;
  readonly tppId: string | null;
  readonly operation: string;
  readonly status: number;
  readonly code: string | null;
  /** The name of the first failure, such as `fieldMissing`; null for calls that an older gateway reported. */
  readonly failure: string | null;
  /** The field, parameter or header of the first violation. */
  readonly path: string | null;
  /** The service that did not answer. */
  readonly dependency: string | null;
  readonly ms: number;
  readonly bytes: number;
  /** The payment, consent or basket of the call. */
  readonly resourceId: string | null;
}

export interface CallFilter {
  readonly tpp?: string;
  readonly operation?: string;
  readonly code?: string;
  /** The lowest and the highest status. */
  readonly statuses: readonly [number, number];
  /** The oldest time, in epoch milliseconds. */
  readonly sinceMs: number;
  readonly before: CallPosition;
  readonly limit: number;
}

/** A call's place in the order of time. */
export interface CallPosition {
  readonly atMs: number;
  readonly callId: number;
}

export interface CallList {
  /** The newest matching calls, newest first. */
  readonly calls: readonly ListedCall[];
  /** `--before` of the next page; null if there are no more calls. */
  readonly next: string | null;
  /** The calls of the same TPP and time that have no row, by reason. */
  readonly leftOut: readonly Pick<CallsLeftOut, 'reason' | 'calls'>[];
}

/** One statement reads at most this much time, so that a rare match does not make it read a month. */
const windowMs = 3_600_000;
/** The position after the newest call, allowing for an hour between the clocks of two hosts. */
export const afterNewest = (nowMs: number): CallPosition => ({ atMs: nowMs + 3_600_000, callId: 0 });

type Row = Omit<ListedCall, 'time'> & { readonly at: Date; readonly callId: number };
const selectCalls = `SELECT at, call_id AS "callId", request_id AS "requestId", trace_id AS "traceId", tpp_id AS "tppId", operation,
    status, code, failure, path, dependency, ms, bytes, resource_id AS "resourceId" FROM call`;

const toCall = ({ at, callId: _callId, ...call }: Row): ListedCall => ({ time: at.toISOString(), ...call });

const cursorForm = /^(\d{1,15})-(\d{1,15})$/;
/** Parses `--before`; undefined for a text that is not `next` of a page. */
export const readCursor = (text: string): CallPosition | undefined => {
  const [, atMs, callId] = cursorForm.exec(text) ?? [];
  return atMs === undefined ? undefined : { atMs: Number(atMs), callId: Number(callId) };
};

/** Returns one page of calls. `pool` must prefer index scans. */
export const listCalls = async (pool: Pool, filter: CallFilter): Promise<CallList> => {
  const { tpp, operation, code, statuses, sinceMs, before, limit } = filter;
  const found: Row[] = [];
  for (
    let { atMs, callId } = before;
    atMs >= sinceMs && found.length <= limit;
    atMs -= windowMs, callId = 0
  ) {
    const from = Math.max(sinceMs, atMs - windowMs);
    const { rows } = await pool.query<Row>(
      `${selectCalls} WHERE at >= $1 AND (at, call_id) < ($2, $3) AND status BETWEEN $4 AND $5
         AND ($6::text IS NULL OR tpp_id = $6) AND ($7::text IS NULL OR operation = $7) AND ($8::text IS NULL OR code = $8)
       ORDER BY at DESC, call_id DESC LIMIT $9`,
      [
        new Date(from),
        new Date(atMs),
        callId,
        ...statuses,
        tpp ?? null,
        operation ?? null,
        code ?? null,
        limit + 1 - found.length,
      ],
    );
    found.push(...rows);
  }
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  const { rows: leftOut } = await pool.query<Pick<CallsLeftOut, 'reason' | 'calls'>>(
    `SELECT reason, sum(calls)::bigint AS calls FROM calls_left_out
     WHERE until >= $1 AND since <= $2 AND ($3::text IS NULL OR tpp_id = $3) GROUP BY reason ORDER BY reason`,
    [new Date(sinceMs), new Date(before.atMs), tpp ?? null],
  );
  return {
    calls: page.map(toCall),
    next: last === undefined ? null : `${last.at.getTime()}-${last.callId}`,
    leftOut,
  };
};

const leftOutText: Readonly<Record<CallsLeftOut['reason'], string>> = {
  sampled: 'successful and not sampled',
  limit: 'refused, beyond the limit per minute',
  buffer: 'while the console was down',
  unstored: 'that the console could not store',
};

export const callsText = ({ calls, next, leftOut }: CallList): string =>
  [
    table(
      calls,
      {
        time: ({ time }) => time,
        request: ({ requestId }) => requestId,
        TPP: ({ tppId }) => tppId,
        operation: ({ operation }) => operation,
        status: ({ status }) => status,
        code: ({ code }) => code,
        at: ({ path }) => path,
        'no answer from': ({ dependency }) => dependency,
        ms: ({ ms }) => ms,
      },
      'No such calls.',
    ),
    ...(next === null ? [] : [`For older ones: --before ${next}`]),
    ...leftOut.map(
      ({ reason, calls: count }) => `Not shown: ${counted(count, 'call')} ${leftOutText[reason]}`,
    ),
  ].join('\n');

/** Returns the calls with a request id, newest first: more than one if the TPP sent the same X-Request-ID again. */
export const findCalls = async (pool: Pool, requestId: string): Promise<ListedCall[]> => {
  const { rows } = await pool.query<Row>(
    `${selectCalls} WHERE request_id = $1 ORDER BY at DESC, call_id DESC LIMIT 100`,
    [requestId],
  );
  return rows.map(toCall);
};

const shown = [
  ['time', ({ time }) => time],
  ['TPP', ({ tppId }) => tppId],
  ['operation', ({ operation }) => operation],
  ['status', ({ status }) => status],
  ['code', ({ code }) => code],
  ['first violation at', ({ path }) => path],
  ['no answer from', ({ dependency }) => dependency],
  ['duration', ({ ms }) => `${ms} ms`],
  ['response', ({ bytes }) => `${bytes} bytes`],
  ['payment, consent or basket', ({ resourceId }) => resourceId],
  ['trace', ({ traceId }) => traceId],
] as const satisfies readonly (readonly [string, (call: ListedCall) => string | number | null])[];

const callText = (call: ListedCall, bank: Bank): string =>
  [
    ...shown
      .map(([name, read]) => [name, read(call)] as const)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name}: ${value}`),
    ...whyLines(call, bank),
  ].join('\n');

export const callTexts = (calls: readonly ListedCall[], bank: Bank): string =>
  calls.map((call) => callText(call, bank)).join('\n\n');

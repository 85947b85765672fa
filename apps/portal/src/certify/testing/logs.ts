import type { OwnNotification } from '@xs2a/contracts/push/own-notifications.contract';
import type { Call, OwnLog } from '../own-log.js';

/** The id of the payment, consent or basket of most logs. */
export const someId = '2f1f9a52-4b7e-4a0c-9a3d-7c1c5a0b8d22';
const beginMs = Date.parse('2026-11-20T09:00:00.000Z');
const timeAt = (second: number): string => new Date(beginMs + second * 1000).toISOString();

export interface Sent {
  readonly operation: string;
  /** Seconds after the begin of the log. */
  readonly at?: number;
  readonly status?: number;
  readonly code?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly answer?: object;
  readonly answerHeaders?: Readonly<Record<string, string>>;
  readonly requestId?: string;
}

/** A call as the API lists it. */
export const call = (sent: Sent): Call => {
  const { operation, at = 0, status = 200, code, headers = {}, body, answer, answerHeaders = {} } = sent;
  const url = sent.url ?? `/v1/payments/domestic-credit-transfers-bgn/${someId}/status`;
  const method = /^(?:read|list)/.test(operation) ? 'GET' : 'POST';
  return {
    operation,
    status,
    ...(code === undefined ? {} : { code }),
    time: timeAt(at),
    requestId: sent.requestId ?? `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    request: { method, url, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
    response: { headers: answerHeaders, ...(answer === undefined ? {} : { body: JSON.stringify(answer) }) },
  };
};

/** A request for a payment, with the key `k` unless another one is given. */
export const pay = (sent: Omit<Sent, 'operation'> & { readonly key?: string | null }): Call => {
  const { key = 'k', ...rest } = sent;
  return call({
    operation: 'initiatePayment',
    status: 201,
    url: '/v1/payments/domestic-credit-transfers-bgn',
    body: { amount: 1 },
    answer: { paymentId: someId },
    ...rest,
    headers: { ...(key === null ? {} : { 'idempotency-key': key }), ...rest.headers },
  });
};

/** A read of a payment's status. */
export const status = (
  transactionStatus: string,
  sent: Partial<Sent> & { readonly service?: string } = {},
): Call =>
  call({
    operation: 'readPaymentStatus',
    url: `/v1/${sent.service ?? 'payments'}/domestic-credit-transfers-bgn/${someId}/status`,
    answer: { transactionStatus },
    ...sent,
  });

/** A visit of the application, with what it answered. */
export const visit = (uri: string, answered: number | undefined, at = 0): Call =>
  call({
    operation: 'visit',
    at,
    url: '/sandbox/visits',
    body: { uri },
    answer: answered === undefined ? { failure: 'no answer' } : { status: answered },
  });

/** A notification with its attempts, one a second. A forged one begins with `forged`. */
export const notification = (
  answers: readonly string[],
  changes: Partial<OwnNotification> = {},
): OwnNotification => ({
  notificationId: 'f0a1c5de-7d43-5b0e-8f0a-3f1c2b9d6e11',
  resourceType: 'payment',
  resourceId: someId,
  status: 'ACSC',
  uri: 'https://tpp.example/push',
  state: 'delivered',
  createdAt: timeAt(0),
  attempts: answers.map((answer, index) => ({
    time: timeAt(index),
    answer: answer.replace('forged ', ''),
    ...(answer.startsWith('forged ') ? { forged: true as const } : {}),
  })),
  body: '{}',
  ...changes,
});

/** A log that is read an hour after it begins, so that the time for each reaction is over. */
export const logOf = (parts: Partial<OwnLog>): OwnLog => ({
  calls: [],
  ofWorkspace: [],
  isWhole: true,
  notStored: 0,
  notifications: [],
  payments: [],
  nowMs: beginMs + 3_600_000,
  ...parts,
});

/** The same log, read this many seconds after it began. */
export const readAfter = (log: OwnLog, seconds: number): OwnLog => ({
  ...log,
  nowMs: beginMs + seconds * 1000,
});

import { failedBy, type Finding, newestOf, open, patienceMs, shownBy } from './finding.js';
import {
  answerIn,
  atMs,
  bodyOf,
  type Call,
  headerOf,
  isDone,
  keyOf,
  memberOf,
  type OwnLog,
  resourceOf,
  sentIn,
  urlOf,
} from './own-log.js';

const creating: ReadonlySet<string> = new Set(['initiatePayment', 'createConsent', 'createBasket']);
const isCreating = ({ operation }: Call): boolean => creating.has(operation);
const isRead = ({ request }: Call): boolean => request?.method === 'GET';
const isSame = (one: Call, other: Call): boolean =>
  one.operation === other.operation && urlOf(one) === urlOf(other) && bodyOf(one) === bodyOf(other);
/** The first later call that sends the same. */
const nextSame = ({ calls }: OwnLog, call: Call): Call | undefined =>
  calls.slice(calls.indexOf(call) + 1).find((later) => isSame(later, call));
/**
 * The first later call that repeats a creating call. If the bank refused the call before it read the body, the log has no
 * body, and calls are matched by their idempotency keys.
 */
const nextCreating = (log: OwnLog, call: Call): Call | undefined => {
  if (call.request?.body !== undefined) return nextSame(log, call);
  const later = log.calls
    .slice(log.calls.indexOf(call) + 1)
    .filter((one) => one.operation === call.operation && urlOf(one) === urlOf(call));
  return later.find((one) => keyOf(one) === keyOf(call)) ?? later[0];
};
const each = (log: OwnLog, of: (call: Call) => boolean, find: (call: Call) => Finding): Finding =>
  newestOf(log.calls.filter(of).map(find));
/** True if an earlier, identical call got the same status. The reaction of the application to that call is what counts. */
const isRepeat = ({ calls }: OwnLog, call: Call): boolean =>
  calls.slice(0, calls.indexOf(call)).some((one) => isSame(one, call) && one.status === call.status);
const isOver = ({ nowMs }: OwnLog, call: Call): boolean => nowMs - atMs(call) > patienceMs;

/** A creating call that had no answer must be sent again, with the same key. */
const repeated =
  (status: number) =>
  (log: OwnLog): Finding =>
    each(
      log,
      (call) => isCreating(call) && call.status === status,
      (call) => {
        const again = nextCreating(log, call);
        if (again === undefined) return isOver(log, call) ? failedBy('It was not sent again.', call) : open;
        if (keyOf(again) !== undefined && keyOf(again) === keyOf(call)) return shownBy(call, again);
        // Without its body, it is not known whether the next call is a repetition.
        return call.request?.body === undefined
          ? failedBy(
              'It was not sent again with the same key; the next call of this operation had another key or none.',
              call,
              again,
            )
          : failedBy('It was sent again with another key or none.', call, again);
      },
    );
export const unavailable = repeated(503);
/** The connection ended before the answer. */
export const lostAnswer = repeated(499);

export const readUnavailable = (log: OwnLog): Finding =>
  each(
    log,
    (call) => isRead(call) && call.status === 503,
    (call) => {
      const again = nextSame(log, call);
      if (again !== undefined) return shownBy(call, again);
      return isOver(log, call) ? failedBy('It was not sent again.', call) : open;
    },
  );

/** The statuses of a payment that was perhaps not made: no answer, 503 and 429. The application must repeat such a call. */
const withoutResult: ReadonlySet<number> = new Set([499, 503, 429]);
const doubleMs = 10 * 60_000;
/** A reference that the TPP chose for one payment. ISO 20022 has `NOTPROVIDED` for none. */
const hasOwnReference = (call: Call): boolean =>
  /"endToEndIdentification":\s*"(?!NOTPROVIDED")/.test(bodyOf(call));
/**
 * Returns a second payment with the same body but another idempotency key, made within a minute; undefined if there is none.
 * Only for payments with the TPP's own reference: without one, a customer may want to pay the same amount twice.
 */
const madeAgain = ({ calls }: OwnLog, call: Call): Call | undefined =>
  calls
    .slice(calls.indexOf(call) + 1)
    .find(
      (one) =>
        isDone(one) && isSame(one, call) && keyOf(one) !== keyOf(call) && atMs(one) - atMs(call) < patienceMs,
    );

/** A second key after a payment without a result is a failure, because the bank cannot recognise the repetition. */
export const ownKey = (log: OwnLog): Finding =>
  each(
    log,
    ({ operation }) => operation === 'initiatePayment',
    (call) => {
      const key = keyOf(call);
      if (isDone(call) && key === undefined)
        return failedBy('It was sent without Idempotency-Key and without X-Request-ID.', call);
      const second = isDone(call) && hasOwnReference(call) ? madeAgain(log, call) : undefined;
      if (second !== undefined)
        return failedBy(
          'Two payments with the same content and the same endToEndIdentification were made within a minute, because the second had another key or none.',
          call,
          second,
        );
      if (!withoutResult.has(call.status)) return open;
      const later = log.calls.slice(log.calls.indexOf(call) + 1);
      const again = later.find(
        (one) => key !== undefined && keyOf(one) === key && one.operation === call.operation,
      );
      if (again !== undefined) return shownBy(call, again);
      // A call that the bank refused before it read the body has no content in the log to compare.
      const double =
        call.request?.body === undefined
          ? undefined
          : later.find((one) => isSame(one, call) && atMs(one) - atMs(call) < doubleMs);
      return double === undefined
        ? open
        : failedBy('A payment without a result was sent again with another key or none.', call, double);
    },
  );

const retryAfterMs = (call: Call): number =>
  Number(call.response?.headers['retry-after'] ?? Number.NaN) * 1000;
/** The time between two calls, in milliseconds: real time, or that of the sandbox's clock if somebody has moved it. */
const waitedMs = (call: Call, later: Call): number => {
  const [from = Number.NaN, until = Number.NaN] = [call, later].map(({ response }) =>
    Date.parse(response?.headers['x-sandbox-clock'] ?? ''),
  );
  const realMs = atMs(later) - atMs(call);
  return Number.isNaN(until - from) ? realMs : Math.max(realMs, until - from);
};
const longWaitMs = 60_000;
/** Clocks and timers differ by this much. */
const toleranceMs = 100;

export const waited = (log: OwnLog): Finding =>
  each(
    log,
    (call) => call.status === 429 && retryAfterMs(call) < longWaitMs,
    (call) => {
      const again = nextSame(log, call);
      if (again === undefined) return open;
      return waitedMs(call, again) >= retryAfterMs(call) - toleranceMs
        ? shownBy(call, again)
        : failedBy('It was sent again before Retry-After had passed.', call, again);
    },
  );

/**
 * True if two reads count against the same limit: each consent has one for each endpoint and account. A list of accounts
 * that was read without Consent-ID may belong to any customer, so it is never taken for the same.
 */
const hasSameLimit = (one: Call, other: Call): boolean => {
  const consentId = headerOf(one, 'consent-id');
  const isOfOneCustomer = consentId !== undefined || resourceOf(one) !== undefined;
  return isOfOneCustomer && isSame(one, other) && headerOf(other, 'consent-id') === consentId;
};
const isUsedUp = (call: Call): boolean => call.status === 429 && retryAfterMs(call) >= longWaitMs;
const isWithin = (later: Call, refused: Call): boolean =>
  waitedMs(refused, later) < retryAfterMs(refused) - toleranceMs;

/**
 * Examines the reaction to the first refusal for each limit. Calls with an invalid token do not use up the limit, so they
 * are ignored.
 */
export const usedUp = (log: OwnLog): Finding => {
  const refused = log.calls.filter(isUsedUp);
  const isFirst = (call: Call): boolean =>
    !refused
      .slice(0, refused.indexOf(call))
      .some((earlier) => hasSameLimit(earlier, call) && isWithin(call, earlier));
  return newestOf(
    refused.filter(isFirst).map((call) => {
      const again = log.calls
        .slice(log.calls.indexOf(call) + 1)
        .find((one) => hasSameLimit(call, one) && one.status !== 401);
      if (again !== undefined && headerOf(again, 'psu-ip-address') !== undefined) return shownBy(call, again);
      if (again !== undefined && isWithin(again, call))
        return failedBy('It was sent again before Retry-After had passed.', call, again);
      return isOver(log, call) ? shownBy(call) : open;
    }),
  );
};

/** The headers that differ between two attempts of a call whose content is the same. */
const ofAttempt: ReadonlySet<string> = new Set(
  'authorization date dpop idempotency-key psu-ip-port traceparent tracestate x-request-id'.split(' '),
);
const hasSameHeaders = (one: Call, other: Call): boolean => {
  const names = new Set([one, other].flatMap(({ request }) => Object.keys(request?.headers ?? {})));
  return [...names]
    .filter((name) => !ofAttempt.has(name))
    .every((name) => headerOf(one, name) === headerOf(other, name));
};
/** The fields and headers that the bank refused. */
const refusedPaths = (call: Call): readonly string[] => {
  const { tppMessages } = answerIn(call);
  return Array.isArray(tppMessages)
    ? tppMessages.flatMap(({ path }: { readonly path?: unknown }) => (typeof path === 'string' ? [path] : []))
    : [];
};
/**
 * True if a refused call was sent again without a correction. Another header may be the correction, unless the bank refused
 * a field of the body. A header with a hidden value may also differ.
 */
const isUncorrected = (again: Call, call: Call): boolean => {
  if (!isSame(again, call) || again.status !== call.status) return false;
  const paths = refusedPaths(call);
  const body = sentIn(call);
  if (paths.some((path) => Object.hasOwn(body, path.split(/[.[]/, 1)[0] ?? ''))) return true;
  return (
    paths.every((path) => headerOf(again, path.toLowerCase()) !== '(hidden)') && hasSameHeaders(again, call)
  );
};

export const corrected = (log: OwnLog): Finding =>
  each(
    log,
    (call) => isCreating(call) && call.status === 400,
    (call) => {
      const later = log.calls.slice(log.calls.indexOf(call) + 1);
      const again = later.find((one) => isUncorrected(one, call));
      if (again !== undefined)
        return failedBy('The refused call was sent again without a correction.', call, again);
      const right = later.find((one) => one.operation === call.operation && isDone(one));
      return right === undefined ? open : shownBy(call, right);
    },
  );

const resourceReads: ReadonlySet<string> = new Set([
  'readPayment',
  'readPaymentStatus',
  'readConsent',
  'readConsentStatus',
]);
/**
 * True for a read of a payment or consent that does not exist. The operation is compared, because a wrong path also
 * returns 404.
 */
const isOfUnknown = ({ operation, status, code }: Call): boolean =>
  resourceReads.has(operation) && (status === 404 || (status === 403 && code === 'CONSENT_UNKNOWN'));
const mostRepeats = 2;
export const unknownResource = (log: OwnLog): Finding =>
  each(
    log,
    (call) => isOfUnknown(call) && !isRepeat(log, call),
    (call) => {
      const again = log.calls.slice(log.calls.indexOf(call) + 1).filter((one) => isSame(one, call));
      if (again.length > mostRepeats) return failedBy('It was asked for again and again.', call, ...again);
      return isOver(log, call) ? shownBy(call) : open;
    },
  );

/** The link to the next page, in either place in which lists have it (contract 6). */
const nextIn = (call: Call): unknown => {
  const answer = answerIn(call);
  const links = [answer, memberOf(answer, 'transactions')].map((json) => memberOf(json, '_links'));
  return links.map((link) => memberOf(link, 'next')['href']).find((href) => typeof href === 'string');
};
export const nextPage = (log: OwnLog): Finding =>
  newestOf(
    log.calls.filter(isDone).map((call) => {
      const href = nextIn(call);
      // A page that the bank refused was not read.
      const next = log.calls
        .slice(log.calls.indexOf(call) + 1)
        .find((one) => isDone(one) && urlOf(one) === href);
      return href === undefined || next === undefined || nextIn(next) !== undefined
        ? open
        : shownBy(call, next);
    }),
  );

const enoughIds = 10;
export const requestIds = (log: OwnLog): Finding => {
  const sent = log.calls.filter((call) => headerOf(call, 'x-request-id') !== undefined);
  // A repeated call may keep its id. Bodies are not compared, because a call that was refused early has none in the log.
  const twice = sent.findLast((call, index) =>
    sent
      .slice(0, index)
      .some(
        (one) =>
          one.requestId === call.requestId &&
          (one.operation !== call.operation || urlOf(one) !== urlOf(call)),
      ),
  );
  if (twice !== undefined) return failedBy('One X-Request-ID was sent with two different calls.', twice);
  return sent.length < enoughIds ? open : shownBy(...sent.slice(-2));
};

export const ipAddress = (log: OwnLog): Finding =>
  each(
    log,
    (call) => call.operation === 'initiatePayment' && isDone(call),
    (call) => (headerOf(call, 'psu-ip-address') === undefined ? open : shownBy(call)),
  );

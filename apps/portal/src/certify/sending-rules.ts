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
/** The same for a creating call. The body of one that was refused before it was read is unknown, so that its key decides. */
const nextCreating = (log: OwnLog, call: Call): Call | undefined => {
  if (call.request?.body !== undefined) return nextSame(log, call);
  const later = log.calls
    .slice(log.calls.indexOf(call) + 1)
    .filter((one) => one.operation === call.operation && urlOf(one) === urlOf(call));
  return later.find((one) => keyOf(one) === keyOf(call)) ?? later[0];
};
const each = (log: OwnLog, of: (call: Call) => boolean, find: (call: Call) => Finding): Finding =>
  newestOf(log.calls.filter(of).map(find));
/** True if the same call was answered with the same status before: the first one shows what the application did then. */
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
        return keyOf(again) !== undefined && keyOf(again) === keyOf(call)
          ? shownBy(call, again)
          : failedBy('It was sent again with another key.', call, again);
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

const doubleMs = 10 * 60_000;
export const ownKey = (log: OwnLog): Finding => {
  const paid = log.calls.filter(
    (call) => call.operation === 'initiatePayment' && isDone(call) && call.request !== undefined,
  );
  return newestOf(
    paid.map((call, index) => {
      const before = paid
        .slice(0, index)
        .findLast((one) => isSame(one, call) && atMs(call) - atMs(one) < doubleMs);
      if (before !== undefined && (keyOf(before) === undefined || keyOf(before) !== keyOf(call)))
        return failedBy('The same payment was made twice within ten minutes.', before, call);
      return keyOf(call) === undefined
        ? failedBy('It was sent without Idempotency-Key and without X-Request-ID.', call)
        : shownBy(call);
    }),
  );
};

const retryAfterMs = (call: Call): number =>
  Number(call.response?.headers['retry-after'] ?? Number.NaN) * 1000;
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
      return atMs(again) - atMs(call) >= retryAfterMs(call) - toleranceMs
        ? shownBy(call, again)
        : failedBy('It was sent again before Retry-After had passed.', call, again);
    },
  );

export const usedUp = (log: OwnLog): Finding =>
  each(
    log,
    (call) => call.status === 429 && retryAfterMs(call) >= longWaitMs && !isRepeat(log, call),
    (call) => {
      const again = nextSame(log, call);
      if (again !== undefined && headerOf(again, 'psu-ip-address') !== undefined) return shownBy(call, again);
      if (again !== undefined && atMs(again) - atMs(call) < retryAfterMs(call) - toleranceMs)
        return failedBy('It was sent again before Retry-After had passed.', call, again);
      return isOver(log, call) ? shownBy(call) : open;
    },
  );

export const corrected = (log: OwnLog): Finding =>
  each(
    log,
    (call) => isCreating(call) && call.status === 400,
    (call) => {
      const later = log.calls.slice(log.calls.indexOf(call) + 1);
      const again = later.find((one) => isSame(one, call));
      if (again !== undefined) return failedBy('The refused body was sent again unchanged.', call, again);
      const right = later.find((one) => one.operation === call.operation && isDone(one));
      return right === undefined ? open : shownBy(call, right);
    },
  );

const mostRepeats = 2;
export const unknownResource = (log: OwnLog): Finding =>
  each(
    log,
    (call) => call.status === 404 && isRead(call) && !isRepeat(log, call),
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
      const next = log.calls.slice(log.calls.indexOf(call) + 1).find((one) => urlOf(one) === href);
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

import { failedBy, type Finding, newestOf, open, patienceMs, shownBy } from './finding.js';
import {
  answerIn,
  atMs,
  type Call,
  headerOf,
  isDone,
  type OwnLog,
  resourceOf,
  sentIn,
  urlOf,
} from './own-log.js';
import { visitMark, visitsIn } from './token-rules.js';

const statusReads: ReadonlySet<string> = new Set(['readPaymentStatus', 'readPayment']);
const isStatusRead = (call: Call): boolean => statusReads.has(call.operation) && isDone(call);
const statusIn = (call: Call): string => String(answerIn(call)['transactionStatus']);
const final: ReadonlySet<string> = new Set(['ACSC', 'RJCT', 'CANC', 'PART']);
const isOver = ({ nowMs }: OwnLog, call: Call): boolean => nowMs - atMs(call) > patienceMs;
const after = ({ calls }: OwnLog, call: Call): readonly Call[] => calls.slice(calls.indexOf(call) + 1);

/** Shown once the application has read such a status. */
const readIn =
  (is: (call: Call) => boolean) =>
  ({ calls }: OwnLog): Finding => {
    const read = calls.findLast((call) => isStatusRead(call) && is(call));
    return read === undefined ? open : shownBy(read);
  };
/** Shown once the application has made such a call with success. */
export const doneOnce =
  (is: (call: Call) => boolean) =>
  ({ calls }: OwnLog): Finding => {
    const done = calls.findLast((call) => isDone(call) && is(call));
    return done === undefined ? open : shownBy(done);
  };

export const settled = readIn((call) => statusIn(call) === 'ACSC');
export const partlySigned = readIn((call) => statusIn(call) === 'PATC');
export const bulkPartly = readIn((call) => statusIn(call) === 'PART');
export const unfunded = readIn((call) => answerIn(call)['fundsAvailable'] === false);
export const futureDate = doneOnce(
  (call) => call.operation === 'initiatePayment' && sentIn(call)['requestedExecutionDate'] !== undefined,
);
export const order = doneOnce(
  (call) => call.operation === 'initiatePayment' && urlOf(call).startsWith('/v1/periodic-payments/'),
);
export const basket = doneOnce(({ operation }) => operation === 'readBasketStatus');
export const cancelled = doneOnce(({ operation }) => operation === 'cancelPayment');

export const orderStopped = (log: OwnLog): Finding => {
  const all = [...log.calls, ...log.ofWorkspace];
  const own = new Set(all.filter(({ operation }) => operation === 'cancelPayment').map(resourceOf));
  return readIn(
    (call) =>
      urlOf(call).startsWith('/v1/periodic-payments/') &&
      statusIn(call) === 'CANC' &&
      !own.has(resourceOf(call)),
  )(log);
};

/** The application reads on until the status is final. */
export const followedToEnd = (log: OwnLog): Finding =>
  newestOf(
    log.calls
      .filter((call) => isStatusRead(call) && final.has(statusIn(call)))
      .map((call) => {
        const before = log.calls
          .slice(0, log.calls.indexOf(call))
          .findLast((one) => isStatusRead(one) && resourceOf(one) === resourceOf(call));
        return before === undefined || final.has(statusIn(before)) ? open : shownBy(before, call);
      }),
  );

const [mostReads, inMs] = [30, 30_000];
/**
 * The minimum number of reads of one status, and the minimum milliseconds from the first read to the last, to evaluate
 * their pace.
 */
const [enoughReads, longMs] = [3, 60_000];
/**
 * Finds whether the application reads the status of a payment at a moderate pace: over a minute or longer, and never
 * too often within 30 seconds.
 */
export const paced = (log: OwnLog): Finding =>
  newestOf(
    [...Map.groupBy(log.calls.filter(isStatusRead), urlOf).values()].map((reads) => {
      const fast = reads.find((read, index) => {
        const until = reads[index + mostReads - 1];
        return until !== undefined && atMs(until) - atMs(read) < inMs;
      });
      if (fast !== undefined)
        return failedBy(`A status was read ${mostReads} times within 30 seconds.`, fast);
      const [first, last] = [reads[0], reads.at(-1)];
      if (first === undefined || last === undefined || reads.length < enoughReads) return open;
      return atMs(last) - atMs(first) < longMs ? open : shownBy(first, last);
    }),
  );

/** After it has been expired in the workspace, the application learns the end of a payment. */
export const expired = (log: OwnLog): Finding =>
  newestOf(
    log.calls
      .filter((call) => call.operation === 'expirePayment' && isDone(call))
      .map((call) => {
        const id = resourceOf(call);
        const read = after(log, call).find((one) => isStatusRead(one) && resourceOf(one) === id);
        if (read !== undefined) return shownBy(call, read);
        if (isPushed(log, id)) return shownBy(call);
        return isOver(log, call)
          ? failedBy('The status of the payment was not read afterwards.', call)
          : open;
      }),
  );

export const cancelledLate = (log: OwnLog): Finding =>
  newestOf(
    log.calls
      .filter(({ operation, status }) => operation === 'cancelPayment' && (status === 405 || status === 409))
      .map((call) => {
        const id = resourceOf(call);
        const read = after(log, call).find((one) => isStatusRead(one) && resourceOf(one) === id);
        if (read !== undefined) return shownBy(call, read);
        return isOver(log, call)
          ? failedBy('The status of the payment was not read afterwards.', call)
          : open;
      }),
  );

/** True if the application accepted a notification that the payment was rejected. */
const isPushed = ({ notifications }: OwnLog, id: string | undefined): boolean =>
  notifications.some(
    ({ resourceId, status, state }) =>
      resourceId === id && state === 'delivered' && status.startsWith('RJCT'),
  );

const placeOf = (uri: string): string | undefined => {
  const url = URL.parse(uri);
  return url === null ? undefined : `${url.origin}${url.pathname}`;
};

/** The addresses to which the bank sends the PSU after a refusal. */
export const nokUris = ({ calls }: OwnLog): readonly string[] =>
  calls.flatMap((call) => headerOf(call, 'tpp-nok-redirect-uri') ?? []);

/** The PSU refuses: the application's Nok address answers, and the application learns the end of the payment. */
export const refused = (log: OwnLog): Finding => {
  const places = new Set(nokUris(log).map(placeOf));
  const visits = visitsIn(log)
    // The other situations open the redirect URI, which may be the same page.
    .filter(({ uri }) => places.has(placeOf(uri.href)) && !uri.searchParams.has(visitMark))
    .map(({ call, status }) =>
      status !== undefined && status < 400
        ? shownBy(call)
        : failedBy(
            status === undefined ? 'The Nok address did not answer.' : `The Nok address answered ${status}.`,
            call,
          ),
    );
  const lastVisit = visits.at(-1);
  if (lastVisit?.result === 'failed') return lastVisit;
  const end = refusalLearned(log);
  if (end.result !== 'shown') return end;
  return lastVisit === undefined
    ? open
    : { ...end, requestIds: [...new Set([...end.requestIds, ...lastVisit.requestIds])] };
};

/** Whether the application learns the end of a payment that the PSU refused. */
const refusalLearned = (log: OwnLog): Finding => {
  const rejected = new Set(
    log.payments
      .filter(({ transactionStatus }) => transactionStatus === 'RJCT')
      .map(({ paymentId }) => paymentId),
  );
  const ended = new Set(log.calls.filter(({ operation }) => operation === 'expirePayment').map(resourceOf));
  return newestOf(
    log.calls
      .filter((call) => call.operation === 'initiatePayment' && isDone(call))
      .map((call) => {
        const id = resourceOf(call);
        if (id === undefined || !rejected.has(id) || ended.has(id)) return open;
        const read = after(log, call).find(
          (one) => isStatusRead(one) && resourceOf(one) === id && statusIn(one) === 'RJCT',
        );
        if (read !== undefined) return shownBy(call, read);
        if (isPushed(log, id)) return shownBy(call);
        return isOver(log, call)
          ? failedBy('The payment was rejected, and the application did not learn it.', call)
          : open;
      }),
  );
};

import { describe, expect, it } from '@jest/globals';
import type { Decision } from '../decision.js';
import {
  acceptBasket,
  expireBasket,
  expireBasketNow,
  rejectBasket,
  signBasket,
  startBasketAuthorisation,
} from './authorise-basket.js';
import { basketEventTypes } from './basket-event-types.js';
import type { BasketEvent, BasketEventType } from './basket-events.js';
import type { BasketState } from './basket-state.js';
import {
  basketLifecycle,
  type BasketStage,
  findBasketStatus,
  isCancellable,
  isFinalBasket,
  nextBasketStage,
} from './basket-transitions.js';
import {
  abandonBasket,
  cancelBasket,
  completeBasket,
  createBasket,
  openBasket,
  recordItemsUpdated,
} from './decide-basket.js';
import { basketFrom } from './evolve-basket.js';

const now = '2026-11-20T09:00:00.000Z';
const expiresAt = '2026-11-20T09:15:00.000Z';
const late = '2026-11-20T09:15:00.000Z';
const none = {};

const opened = (signers: number): BasketEvent[] =>
  openBasket(
    {
      basketId: 'b',
      tppId: 'tpp',
      paymentIds: ['p', 'q'],
      consentIds: ['c'],
      signaturesRequired: signers,
      authorisationId: signers === 1 ? 'a' : undefined,
      redirectUris: {},
      expiresAt,
    },
    now,
  );
const created = (signers = 1): BasketEvent[] => [...opened(signers), { type: 'basket-created', data: none }];
const accepted = (psuId = 'ivan', authorisationId = 'a'): BasketEvent => ({
  type: 'basket-signer-identified',
  data: { authorisationId, psuId },
});
const started = (authorisationId: string, psuId: string): BasketEvent => ({
  type: 'basket-authorisation-started',
  data: { authorisationId, psuId },
});
const given = (...events: readonly BasketEvent[]): BasketState => {
  const state = basketFrom(events.map((event) => ({ event, at: now })));
  if (state === undefined) throw new Error('no basket');
  return state;
};
const signedByIvan = { authorisationId: 'a', psuId: 'ivan', signedAt: now };
const outcome = (decision: Decision<BasketEvent>): unknown =>
  'refused' in decision ? decision.refused.failure : decision.events.map(({ type }) => type);
const signing = { authorisationId: 'a', psuId: 'ivan', now };
const signature = { ...signing, hasOpenPayees: false };

/** Every transition in contract 10, written out independently of the code. */
const allowed = new Set([
  'opening basket-created received',
  'opening basket-abandoned abandoned',
  'abandoned basket-items-updated abandoned',
  'received basket-authorisation-started received',
  'received basket-signer-identified received',
  'received basket-partly-signed partlySigned',
  'received basket-signed signed',
  'received basket-rejected rejected',
  'received basket-cancelled cancelled',
  'partlySigned basket-authorisation-started partlySigned',
  'partlySigned basket-signer-identified partlySigned',
  'partlySigned basket-partly-signed partlySigned',
  'partlySigned basket-signed signed',
  'partlySigned basket-rejected rejected',
  'signed basket-items-updated signed',
  'signed basket-completed completed',
  'rejected basket-items-updated rejected',
  'cancelled basket-items-updated cancelled',
]);
const stages = Object.keys(basketLifecycle) as BasketStage[];
const events = Object.keys(basketEventTypes) as BasketEventType[];

describe('a signing basket (contract 10)', () => {
  it.each(stages.flatMap((stage) => events.map((event) => [stage, event] as const)))(
    '%s × %s',
    (stage, event) => {
      const next = nextBasketStage(stage, event);
      const expected = [...allowed].find((one) => one.startsWith(`${stage} ${event} `));
      expect(next === undefined ? undefined : `${stage} ${event} ${next}`).toBe(expected);
    },
  );

  it('has a status only once created, is final in ACSC, RJCT and CANC, and can be deleted only in RCVD', () => {
    expect(stages.map((stage) => [stage, findBasketStatus(stage)])).toEqual([
      ['opening', undefined],
      ['abandoned', undefined],
      ['received', 'RCVD'],
      ['partlySigned', 'PATC'],
      ['signed', 'ACTC'],
      ['completed', 'ACSC'],
      ['rejected', 'RJCT'],
      ['cancelled', 'CANC'],
    ]);
    expect(stages.filter(isFinalBasket)).toEqual(['abandoned', 'completed', 'rejected', 'cancelled']);
    expect(stages.filter(isCancellable)).toEqual(['received']);
  });
});

describe('creating a basket (contract 10: every item or none)', () => {
  it('succeeds once every item is claimed, or ends in abandonment if an item cannot be claimed, never both', () => {
    const refusal = { failure: 'resourceBlocked', path: 'paymentIds[1]' } as const;
    expect(outcome(createBasket(given(...opened(1)), { now }))).toEqual(['basket-created']);
    expect(outcome(createBasket(given(...created()), { now }))).toEqual([]);
    expect(outcome(abandonBasket(given(...created()), refusal))).toEqual([]);
    const decision = abandonBasket(given(...opened(1)), refusal);
    if ('refused' in decision) throw new Error('refused');
    const abandoned = given(...opened(1), ...decision.events);
    expect(abandoned).toMatchObject({ refusal, updatesItemsSince: now });
    expect(outcome(createBasket(abandoned, { now }))).toEqual([]);
  });

  it('ends in abandonment after the time limit, even if an earlier abandonment event was lost', () => {
    const [almost, over] = ['2026-11-20T09:00:01.999Z', '2026-11-20T09:00:02.000Z'];
    expect(outcome(createBasket(given(...opened(1)), { now: almost }))).toEqual(['basket-created']);
    expect(outcome(createBasket(given(...opened(1)), { now: over }))).toEqual(['basket-abandoned']);
    expect(outcome(createBasket(given(...created()), { now: over }))).toEqual([]);
  });
});

describe('deleting a basket (contract 10)', () => {
  const cancel = (state: BasketState, key?: string, tppId = 'tpp') =>
    outcome(cancelBasket(state, { tppId, idempotencyKey: key }));

  it('is possible before the first signature and can be retried only with the same key', () => {
    expect(cancel(given(...created(), accepted()))).toEqual(['basket-cancelled']);
    expect(cancel(given(...created()), 'k', 'other')).toBe('resourceUnknown');
    const cancelled = given(...created(), {
      type: 'basket-cancelled',
      data: { tppId: 'tpp', idempotencyKey: 'k' },
    });
    expect(cancel(cancelled, 'k')).toEqual([]);
    expect(cancel(cancelled)).toBe('cancellationNotPossible');
  });

  it('is refused after the first signature', () => {
    const partly = given(...created(2), started('a', 'ivan'), accepted(), {
      type: 'basket-partly-signed',
      data: signedByIvan,
    });
    expect(cancel(partly)).toBe('cancellationNotPossible');
  });
});

describe('authorising a basket (contract 10)', () => {
  const received = given(...created());
  const identified = given(...created(), accepted());

  it('signs all items with one signature if only one signer is needed (ACTC)', () => {
    expect(outcome(acceptBasket(received, signing))).toEqual(['basket-signer-identified']);
    expect(outcome(acceptBasket(identified, signing))).toEqual([]);
    expect(outcome(signBasket(identified, signature))).toEqual(['basket-signed']);
    expect(outcome(signBasket(received, signature))).toBe('statusForbidsAuthorisation');
  });

  it('lets each of n signers sign once, in any order; the status is PATC until the last signature and then ACTC', () => {
    const first = [...created(2), started('a', 'ivan'), started('e', 'elena'), accepted()];
    expect(outcome(signBasket(given(...first), signature))).toEqual(['basket-partly-signed']);
    const partly = [...first, { type: 'basket-partly-signed', data: signedByIvan } as const];
    expect(
      outcome(startBasketAuthorisation(given(...partly), { authorisationId: 'x', psuId: 'ivan', now })),
    ).toBe('statusForbidsAuthorisation');
    const second = given(...partly, accepted('elena', 'e'));
    expect(outcome(signBasket(second, { ...signature, authorisationId: 'e', psuId: 'elena' }))).toEqual([
      'basket-signed',
    ]);
  });

  it('refuses a signature while payees of its items have to be verified (E4.2)', () => {
    const open = { ...signature, hasOpenPayees: true };
    expect(outcome(signBasket(identified, open))).toBe('statusForbidsAuthorisation');
    const first = [...created(2), started('a', 'ivan'), started('e', 'elena'), accepted()];
    expect(outcome(signBasket(given(...first), open))).toBe('statusForbidsAuthorisation');
    expect(outcome(signBasket(identified, { ...open, now: late }))).toEqual(['basket-rejected']);
  });

  it('remembers how far the clock was ahead of real time at the last signature', () => {
    const after = (clockOffsetMs: number): number | undefined => {
      const decision = signBasket(identified, { ...signature, clockOffsetMs });
      const events = 'refused' in decision ? [] : decision.events;
      return given(...created(), accepted(), ...events).clockOffsetMs;
    };
    expect(after(86_400_000)).toBe(86_400_000);
    expect(after(0)).toBeUndefined();
  });

  it('requires a PSU-ID when several signers are needed', () => {
    expect(outcome(startBasketAuthorisation(given(...created(2)), { authorisationId: 'x', now }))).toBe(
      'headerMalformed',
    );
  });

  it('rejects the basket when the PSU cannot sign one of the items', () => {
    const itemFailure = 'not-the-account-owner' as const;
    expect(acceptBasket(received, { ...signing, itemFailure })).toMatchObject({
      events: [{ type: 'basket-rejected', data: { reason: 'not-the-account-owner', psuId: 'ivan' } }],
    });
  });

  it('rejects the basket after one refusal; once a PSU is identified, the link alone is not enough to refuse', () => {
    const refusal = { authorisationId: 'a', reason: 'psu-refused' } as const;
    expect(outcome(rejectBasket(received, refusal))).toEqual(['basket-rejected']);
    expect(outcome(rejectBasket(identified, refusal))).toBe('statusForbidsAuthorisation');
    expect(outcome(rejectBasket(identified, { ...refusal, psuId: 'ivan' }))).toEqual(['basket-rejected']);
    expect(outcome(rejectBasket(identified, { ...refusal, psuId: 'maria' }))).toBe(
      'statusForbidsAuthorisation',
    );
  });

  it('rejects the basket on any action once one of its items has expired', () => {
    expect(outcome(acceptBasket(received, { ...signing, now: late }))).toEqual(['basket-rejected']);
    expect(outcome(signBasket(identified, { ...signature, now: late }))).toEqual(['basket-rejected']);
    expect(outcome(expireBasket(received, { now: late }))).toEqual(['basket-rejected']);
    expect(outcome(expireBasket(received, { now }))).toEqual([]);
  });

  it('rejects the basket if a TPP in the sandbox lets an item expire, unless the basket is decided (contract 13)', () => {
    expect(outcome(expireBasketNow(received))).toEqual(['basket-rejected']);
    expect(outcome(expireBasketNow(identified))).toEqual(['basket-rejected']);
    for (const state of [
      given(...opened(1)),
      given(...created(), accepted(), {
        type: 'basket-signed',
        data: { authorisationId: 'a', psuId: 'ivan', signedAt: now },
      }),
    ])
      expect(outcome(expireBasketNow(state))).toBe('statusForbidsExpiry');
  });

  it('requires later signers to choose the same accounts as the first signer', () => {
    const partly = given(
      ...created(2),
      started('a', 'ivan'),
      started('e', 'elena'),
      accepted(),
      {
        type: 'basket-partly-signed',
        data: { ...signedByIvan, chosenIbans: ['X'] },
      },
      accepted('elena', 'e'),
    );
    const elena = { ...signature, authorisationId: 'e', psuId: 'elena' };
    expect(outcome(signBasket(partly, { ...elena, chosenIbans: ['Y'] }))).toBe('fieldMalformed');
    expect(outcome(signBasket(partly, { ...elena, chosenIbans: ['X'] }))).toEqual(['basket-signed']);
  });
});

describe('a fully signed basket (contract 10: ACTC until every item is final, then ACSC)', () => {
  const signed = [...created(), accepted(), { type: 'basket-signed', data: signedByIvan } as const];

  it('passes the signatures to the items before it can complete', () => {
    expect(outcome(completeBasket(given(...signed)))).toEqual([]);
    expect(outcome(recordItemsUpdated(given(...signed)))).toEqual(['basket-items-updated']);
    const updated = given(...signed, { type: 'basket-items-updated', data: none });
    expect(outcome(recordItemsUpdated(updated))).toEqual([]);
    expect(outcome(completeBasket(updated))).toEqual(['basket-completed']);
  });
});

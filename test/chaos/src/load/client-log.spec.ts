import { describe, expect, it } from '@jest/globals';
import { type Asked, ClientLog, type PaymentRecord } from './client-log.js';

const asked = (from: number, to: number): Asked => ({ from, to });
const logThatWentBack = (...periods: readonly [number, number][]): ClientLog => {
  const log = new ClientLog();
  for (const [from, to] of periods) log.wentBack({ from, to });
  return log;
};
const payment = (created: Asked, ...seen: readonly Asked[]): PaymentRecord => ({
  key: '',
  debtorIban: '',
  amount: 1,
  creditorIban: '',
  psuId: '',
  paymentId: '',
  authorisationId: '',
  created,
  seen: seen.map((one) => ({ status: 'RCVD', asked: one })),
});

describe('an acknowledgement around a database restore (quality: reliability)', () => {
  it.each([
    ['answered before the copy was made', asked(90, 99), true],
    ['in progress when the copy was made', asked(90, 101), false],
    ['sent and answered in that time', asked(150, 160), false],
    ['in progress when the database was lost', asked(199, 250), false],
    ['sent after the database was lost', asked(201, 250), true],
  ])('of a request %s is certain: %s', (_when, fact, certain) => {
    expect(logThatWentBack([100, 200]).isCertain(fact)).toBe(certain);
  });

  it('is always certain if no database was restored, unless it is missing', () => {
    expect(logThatWentBack().isCertain(asked(1, 2))).toBe(true);
    expect(logThatWentBack().isCertain(undefined)).toBe(false);
  });

  it('if certain, requires the resource to exist', () => {
    const log = logThatWentBack([100, 200]);
    expect(log.mustBeKnown(payment(asked(150, 151)))).toBe(false);
    expect(log.mustBeKnown(payment(asked(150, 151), asked(152, 153)))).toBe(false);
    expect(log.mustBeKnown(payment(asked(150, 151), asked(201, 202)))).toBe(true);
  });

  it('is missing from the history of a database that lost it', () => {
    const facts = [asked(10, 20), asked(110, 120), asked(190, 210), asked(220, 230), asked(310, 320)];
    const log = logThatWentBack([100, 200], [300, 400]);
    expect(log.histories(facts, (fact) => fact).map((history) => history.map(({ from }) => from))).toEqual([
      [10, 110],
      [10, 220, 310],
      [10, 220],
    ]);
  });

  it('is counted, and also counted as uncertain if a database may have lost it', () => {
    const log = logThatWentBack([100, 200]);
    log.payments.push(payment(asked(10, 20)), { ...payment(asked(110, 120)), signed: asked(210, 220) });
    expect(log.acknowledged()).toMatchObject({ 'payments initiated': 2, 'payments signed': 1 });
    expect(log.uncertain()).toMatchObject({ 'payments initiated': 1, 'payments signed': 0 });
  });
});

import { describe, expect, it } from '@jest/globals';
import { explainedCodes } from '@xs2a/domain/payment/instant/instant-answer';
import { makeLook } from '../../testing/test-look.js';
import type { AuthorisationKind, FailureReason } from '../catalogue/approval-kinds.js';
import { catalogues } from '../catalogue/catalogues.js';
import type { Outcome } from '../page-sessions.js';
import type { InstantEnd } from '../requests/instant-end.js';
import { closedPage, type EndView, oauthErrorPage, plainPage, resultPage } from './end-pages.js';

const look = makeLook();
const view = { language: 'en', path: '/sca/payment/a/b' } as const;
const read = (outcome: Outcome, more: object = {}, kind: AuthorisationKind = 'payment'): string =>
  resultPage({ ...view, ...more }, { kind, tppName: 'ShopFast', outcome })(look).text;
/** The colour, the shape of the icon and the title of a page, by which a PSU recognises how it ended. */
const glance = (text: string): readonly (string | undefined)[] => [
  /class="hero (\w+)"/.exec(text)?.[1],
  /<span class="sign">.*?<\/svg>/s.exec(text)?.[0],
  /<title>(.*?) –/.exec(text)?.[1],
];

describe('the last page (contract 12)', () => {
  const done = read({ kind: 'authorised' });
  const failed = read({ kind: 'failed', reason: 'psu-refused' });

  it('differs in tone, shape and title between success, failure, a missing signature and a lock', () => {
    const outcome: Outcome = { kind: 'failed', reason: 'sca-failed' };
    const ended = { kind: 'payment', tppName: 'ShopFast', lockedUntil: '2026-11-24T12:33:00Z' } as const;
    const locked = resultPage(view, { ...ended, outcome })(look).text;
    const pages = [done, failed, read({ kind: 'partly', missing: 1 }), locked].map(glance);
    for (const part of [0, 1, 2]) expect(new Set(pages.map((page) => page[part])).size).toBe(4);
    expect(pages.flat()).not.toContain(undefined);
  });

  it('has the reason of a failure as its title, says that no money moved, and whom to call', () => {
    expect(glance(failed)[2]).toBe('Not paid: you refused');
    for (const fact of [
      'No money has moved.',
      'ShopFast can see the result.',
      'href="tel:070012345"',
      '/sca/apps',
    ])
      expect(failed).toContain(fact);
    expect(done).not.toContain('You did not start this?');
  });

  it('asks who refused whether they started it, unless another signer did', () => {
    const ended = { kind: 'payment', tppName: 'ShopFast' } as const;
    const text = (reason: FailureReason, isCosigned: boolean): string =>
      resultPage(view, { ...ended, outcome: { kind: 'failed', reason }, isCosigned })(look).text;
    for (const reason of ['psu-refused', 'psu-cancelled'] as const) {
      expect(text(reason, false)).toContain('You did not start this?');
      expect(text(reason, true)).not.toContain('You did not start this?');
    }
    expect(text('not-the-named-psu', true)).toContain('You did not start this?');
  });

  it.each(Object.keys(catalogues.en.ends.reason) as FailureReason[])(
    'has a title of its own for %s',
    (reason) => {
      const title = glance(read({ kind: 'failed', reason }))[2];
      expect(title).toBe(`Not paid: ${catalogues.en.ends.reason[reason]}`);
    },
  );

  it('says where to start again after the time ran out', () => {
    const text = (language: 'bg' | 'en'): string =>
      read({ kind: 'failed', reason: 'not-authorised-in-time' }, { language });
    expect(text('en')).toContain('start again at ShopFast.');
    expect(text('bg')).toContain('започнете отново в ShopFast.');
    expect(failed).not.toContain('start again');
  });

  it('leads back to the TPP by its name, or says that it can be closed, and always to the approvals', () => {
    const back = read({ kind: 'authorised' }, { back: 'https://shop.example/ok' });
    expect(back).toMatch(/<a class="button" href="https:\/\/shop\.example\/ok">\s*Back to ShopFast/);
    expect(back).not.toContain('You can close this page');
    expect(done).toContain('You can close this page');
    for (const text of [back, done, failed])
      expect(text).toContain('<a href="/sca/payments">See your approvals');
  });

  it('says until when too many wrong codes have locked signing, in the bank’s time, and not to change the password', () => {
    const ended = { kind: 'payment', tppName: 'ShopFast', lockedUntil: '2026-11-24T12:33:00Z' } as const;
    const outcome: Outcome = { kind: 'failed', reason: 'sca-failed' };
    const { text } = resultPage({ ...view, timeZone: 'Europe/Sofia' }, { ...ended, outcome })(look);
    expect(glance(text).at(-1)).toBe('Signing is locked until 14:33');
    expect(text).toContain('Your password is right: do not change it.');
    expect(text).toContain('Wait until 14:33, then start again at ShopFast.');
  });

  it('says how many more persons must sign, and what happens then', () => {
    const title = (missing: number, language: 'bg' | 'en' = 'en'): string | undefined =>
      glance(read({ kind: 'partly', missing }, { language }))[2];
    expect(title(1)).toBe('You signed. One more person must sign');
    expect(title(2)).toBe('You signed. 2 more people must sign');
    expect(title(1, 'bg')).toBe('Подписахте. Трябва да подпише още един човек');
    expect(title(2, 'bg')).toBe('Подписахте. Трябва да подпишат още 2 души');
    expect(read({ kind: 'partly', missing: 1 })).toContain('The payment is made once everyone has signed.');
  });

  it.each(['payment', 'order', 'bulk', 'basket'] as const)(
    'of a signed %s says once that the account must cover it',
    (kind) => {
      const { text, next } = catalogues.en.ends.done[kind];
      const said = [text('ShopFast'), ...next('ShopFast')];
      expect(said.filter((one) => one.includes('cover'))).toHaveLength(1);
    },
  );

  it('shows what was approved, and what happens next', () => {
    const receipt = [
      { label: 'Amount', value: 'BGN 2.00', isAmount: true },
      { label: 'Payee', value: 'Maria', place: 'payee' },
      { label: 'From', value: 'BG18' },
    ] as const;
    const text = read({ kind: 'authorised' }, { receipt });
    for (const fact of ['BGN 2.00', 'Maria', 'BG18', 'What happens next']) expect(text).toContain(fact);
  });
});

describe('the last page of an instant payment (contract 12)', () => {
  const end = (instantEnd: InstantEnd, more: Partial<EndView> = {}): string =>
    read({ kind: 'authorised' }, { instantEnd, ...more });
  const rejected = { kind: 'rejected', reasonCode: 'AB08' } as const;

  it.each<['bg' | 'en', string, string, string]>([
    [
      'en',
      'The payee has the money.',
      'The transfer was not made. Your account was not charged.',
      'Not paid: the payee’s bank is not available',
    ],
    [
      'bg',
      'Получателят има парите.',
      'Преводът не е изпълнен. Сметката Ви не е задължена.',
      'Не е платено: банката на получателя не е на разположение',
    ],
  ])('says in %s that the payee has the money, or that nothing was charged and why', (language, ...texts) => {
    const [settled, charged, title] = texts;
    expect(end({ kind: 'settled' }, { language })).toContain(settled);
    const failed = end(rejected, { language });
    expect(failed).toContain(charged);
    expect(glance(failed)[2]).toBe(title);
  });

  it('differs in tone, shape and title before and after the end', () => {
    const pages = [end({ kind: 'under-way' }), end({ kind: 'settled' }), end(rejected)].map(glance);
    for (const part of [0, 1, 2]) expect(new Set(pages.map((page) => page[part])).size).toBe(3);
  });

  it('says that it renews itself; later, that the result is under the approvals', () => {
    const renewed = end({ kind: 'under-way' }, { isRenewed: true });
    expect(renewed).toContain('This page renews itself');
    const unknown = end({ kind: 'under-way' });
    expect(unknown).not.toContain('renews itself');
    expect(unknown).toContain('The result is not known yet.');
    expect(unknown).toContain('<a href="/sca/payments">See your approvals');
  });

  it('never moves the focus', () => {
    for (const isRenewed of [true, false])
      expect(end({ kind: 'under-way' }, { isRenewed })).not.toContain('autofocus');
  });

  it('has a reason in words for every code that this bank gives, and one for all others', () => {
    const titles = [...explainedCodes, 'ZZ99'].map(
      (reasonCode) => glance(end({ kind: 'rejected', reasonCode }))[2],
    );
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('shows the end to an earlier signer who looks again, and to nobody who did not sign', () => {
    const instantEnd: InstantEnd = { kind: 'settled' };
    const text = (outcome: Outcome): string => read(outcome, { instantEnd });
    expect(text({ kind: 'partly', missing: 1 })).toContain('The payee has the money.');
    for (const outcome of [
      { kind: 'unchanged', reason: 'signed-by-another' },
      { kind: 'failed', reason: 'not-the-named-psu' },
    ] as const)
      expect(text(outcome)).not.toContain('The payee has the money.');
  });
});

describe('a page with nothing to decide', () => {
  it.each(['unknown', 'used', 'signed', 'grouped', 'expired'] as const)(
    'names the app and the way on for a link that is %s',
    (reason) => {
      const { text } = closedPage(view, { closed: reason, tppName: 'ShopFast' })(look);
      expect(text.replaceAll(/\s+/g, ' ')).toContain('ack to ShopFast');
      expect(text).toContain('<a href="/sca/payments">');
    },
  );

  it.each([
    ['en', 'payment', 'ShopFast asked you to pay. '],
    ['bg', 'consent', 'ShopFast поиска да чете сметките Ви. '],
  ] as const)('says in %s what it was, if the link names it: %s', (language, kind, asked) => {
    const text = (more: { readonly askedFor?: typeof kind }): string =>
      closedPage({ ...view, language }, { closed: 'expired', tppName: 'ShopFast', ...more })(look).text;
    expect(text({ askedFor: kind })).toContain(`<p>${asked}`);
    expect(text({})).not.toContain(asked);
  });

  it('leads on from a refused authorization request', () => {
    expect(oauthErrorPage('en', 'invalid_client')(look).text).toContain('<a href="/sca/payments">See your');
  });

  it.each(['unavailable', 'unsure', 'busy', 'forbidden', 'notFound'] as const)(
    'leads on from a page that is %s',
    (name) => {
      expect(plainPage('en', name, '/sca/x')(look).text).toContain('<a class="button" href="/sca/x">');
      expect(plainPage('en', name)(look).text).toContain('<a href="/sca/payments">');
    },
  );
});

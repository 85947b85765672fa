import { describe, expect, it } from '@jest/globals';
import { type TppApi, workspaceAgent } from '../workspace/tpp-api.js';
import { readOwnLog } from './read-own-log.js';
import { call, notification, pay, status } from './testing/logs.js';

const tpp = { clientId: 'tpp', clientSecret: 'secret' };
const span = { sinceMs: 0, nowMs: 0, inboxes: 'https://bank.example/inbox/' };

/** Returns an API double that serves each of these lists in pages of two items, and records the requested lists. */
const apiWith = (lists: Readonly<Record<string, readonly object[]>>) => {
  const asked: string[] = [];
  const send: TppApi['send'] = async (_tpp, { path }) => {
    const { pathname, searchParams } = new URL(path, 'http://bank.example');
    const name = pathname.split('/').at(-1) ?? '';
    asked.push(name);
    const from = Number(searchParams.get('cursor') ?? 0);
    const all = lists[name] ?? [];
    const next = from + 2 < all.length ? { next: { href: `${pathname}?cursor=${from + 2}` } } : {};
    const text = JSON.stringify({ [name]: all.slice(from, from + 2), _links: next });
    return { status: 200, headers: new Headers(), text, requestId: '' };
  };
  return { asked, api: { send } satisfies Pick<TppApi, 'send'> };
};
const several = (count: number, of: (at: number) => object) =>
  Array.from({ length: count }, (_, at) => of(at));

describe('the log of an application that Certify reads', () => {
  it('contains every page of calls, notifications and payments, each page requested once', async () => {
    const { api, asked } = apiWith({
      requests: several(5, (at) => pay({ at: -at })),
      notifications: several(3, () => notification(['HTTP 204'])),
      payments: several(4, (at) => ({ paymentId: at })),
    });
    const log = await readOwnLog(api, tpp, span);
    expect([log.calls, log.notifications, log.payments].map(({ length }) => length)).toEqual([5, 3, 4]);
    expect(log.isWhole).toBe(true);
    expect(log.calls.map(({ time }) => time)).toEqual(log.calls.map(({ time }) => time).toSorted());
    expect(asked.toSorted().join()).toBe(
      'notifications,notifications,payments,payments,requests,requests,requests',
    );
  });

  it('ends after ten pages of calls, and states that older calls exist', async () => {
    const { api } = apiWith({ requests: several(30, () => pay({})) });
    const { calls, isWhole } = await readOwnLog(api, tpp, span);
    expect([calls.length, isWhole]).toEqual([20, false]);
  });

  it('leaves out calls whose headers and bodies were not stored, and counts them', async () => {
    const { request: _request, ...bare } = pay({});
    const { api } = apiWith({ requests: [pay({}), bare, bare] });
    const { calls, notStored } = await readOwnLog(api, tpp, span);
    expect([calls.length, notStored]).toEqual([1, 2]);
  });

  it('excludes calls that the workspace sent, except the calls that provoke a situation', async () => {
    const headers = { 'user-agent': workspaceAgent };
    const { api } = apiWith({
      requests: [
        pay({ headers }),
        call({ operation: 'planFault', url: '/sandbox/faults', headers }),
        call({ operation: 'expirePayment', headers }),
        call({ operation: 'visit', url: '/sandbox/visits', headers }),
        call({ operation: 'readPaymentStatus', headers: { 'user-agent': 'node' } }),
      ],
    });
    const { calls, ofWorkspace } = await readOwnLog(api, tpp, span);
    expect(ofWorkspace.map(({ operation }) => operation)).toEqual(['initiatePayment', 'planFault']);
    expect(calls.map(({ operation }) => operation)).toEqual(['readPaymentStatus', 'visit', 'expirePayment']);
  });

  it('excludes calls whose headers were not stored, because the workspace may have sent these calls', async () => {
    const unstored = ['cancelPayment', 'deleteConsent', 'readBalances'].map((operation) => {
      const { request: _request, response: _response, ...bare } = call({ operation });
      return bare;
    });
    const { api } = apiWith({ requests: [...unstored, status('ACSC')] });
    const log = await readOwnLog(api, tpp, span);
    expect(log.calls.map(({ operation }) => operation)).toEqual(['readPaymentStatus']);
    expect(log.ofWorkspace).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { hasUnseenPayees, PayeeChecks } from './payee-checks.js';

const verifyPayees = async (): Promise<void> => undefined;

describe('a PSU who waits for the code (contract 15)', () => {
  it('returns to the review if the payees have to be verified meanwhile', () => {
    expect(hasUnseenPayees({ verifyPayees }, { step: 'code' })).toBe(true);
    expect(hasUnseenPayees({ verifyPayees }, { step: 'code', payeeWarningRead: true })).toBe(true);
  });

  it('returns to the review if it did not warn of a payee', () => {
    expect(hasUnseenPayees({ hasPayeeWarning: true }, { step: 'code' })).toBe(true);
    expect(hasUnseenPayees({ hasPayeeWarning: true }, { step: 'code', payeeWarningRead: false })).toBe(true);
  });

  it('goes on if the warning was read, or if there is none', () => {
    expect(hasUnseenPayees({ hasPayeeWarning: true }, { step: 'code', payeeWarningRead: true })).toBe(false);
    expect(hasUnseenPayees({}, { step: 'code' })).toBe(false);
    expect(hasUnseenPayees({ hasPayeeWarning: false }, { step: 'code' })).toBe(false);
  });

  it('on the review has still to see them', () => {
    expect(hasUnseenPayees({ verifyPayees }, { step: 'review' })).toBe(false);
  });
});

describe('a page that waits for the verification of payees (contract E4.2)', () => {
  const afterwards = async (check: () => Promise<void>, receivedAt: number): Promise<unknown> =>
    new PayeeChecks().afterwards(
      {
        request: Object({ resource: 'payment/1/1', query: {}, receivedAt }),
        session: { state: { step: 'review', psuId: 'ivan' } },
        authorisation: Object({ verifyPayees: check }),
      },
      async () => Object({ kind: 'payment' }),
    );
  const never = async (): Promise<void> => new Promise(() => undefined);

  it('shows the request once its payees are verified', async () => {
    expect(await afterwards(verifyPayees, performance.now())).toEqual({ kind: 'payment' });
  });

  it('waits no longer than the request has left', async () => {
    const begun = performance.now();
    expect(await afterwards(never, begun - 2000)).toBeUndefined();
    expect(performance.now() - begun).toBeLessThan(1500);
  });
});

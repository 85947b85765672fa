import { expect, it } from '@jest/globals';
import type { WaitingApproval } from '@xs2a/contracts/console/waiting-approvals.contract';
import { newestWaiting, readWaiting } from './waiting.js';

const state = {
  tppId: 'tpp',
  expiresAt: '2026-11-28T10:15:00.000Z',
  signaturesRequired: 1,
  authorisations: [{ authorisationId: 'a', scaStatus: 'received', namedPsuId: 'ivan' }],
} as const;

/** Reads waiting approvals with a limit of two rows. Of the stored `rows`, the first `left` can be approved; the others have expired. */
const read = async (rows: number, left: number) => {
  const found = Array.from({ length: rows }, (_, index) => ({
    stream_id: `${index}`,
    created_at: new Date('2026-11-28T10:00:00.000Z'),
  }));
  const states = found.map((_, index) =>
    index < left ? state : { ...state, expiresAt: '2026-11-28T09:00:00.000Z' },
  );
  const asked = { psuId: 'ivan', now: '2026-11-28T10:00:00.000Z', limit: 2 };
  const pool = { query: async () => ({ rows: found }) } as unknown as Parameters<
    typeof readWaiting
  >[0]['pool'];
  const store = { many: { readReadableStates: async () => states } };
  return readWaiting({ ...asked, pool }, { view: 'basket_view', kindOf: () => 'signing basket' }, store);
};

it('marks a list of waiting approvals as cut if the SQL statement reached its limit, even if a row has expired', async () => {
  expect(await read(2, 1)).toMatchObject({ approvals: [{ id: '0' }], isCut: true });
  expect(await read(1, 1)).not.toHaveProperty('isCut');
});

it('merges several lists of waiting approvals newest first, and marks the result as cut if one of them is', () => {
  const approval = (createdAt: string) => ({ createdAt }) as WaitingApproval;
  const [older, newer] = [approval('2026-11-28T09:00:00.000Z'), approval('2026-11-28T10:00:00.000Z')];
  const of = (...approvals: readonly WaitingApproval[]) => ({ approvals });
  expect(newestWaiting([of(older), of(newer)], 2)).toEqual({ approvals: [newer, older] });
  expect(newestWaiting([of(older), of(newer)], 1)).toEqual({ approvals: [newer], isCut: true });
  expect(newestWaiting([{ ...of(older), isCut: true }, of()], 2)).toEqual({
    approvals: [older],
    isCut: true,
  });
});

import { describe, expect, it } from '@jest/globals';
import { dueOutcome } from './due-check.js';

describe('the warning that doctor prints about due months (docs/how-to/retention.md)', () => {
  it('states how many months are due, the oldest one and the command to run', () => {
    const months = [{ since: '2027-06-01' }, { since: '2027-07-01' }];
    expect(
      dueOutcome([
        { resource: 'payments', months },
        { resource: 'consents', months: [] },
      ]),
    ).toEqual({
      ok: true,
      text: 'payments: 2 months may be archived, the oldest since 2027-06-01',
      repair: expect.stringMatching(/archive due$/),
    });
  });

  it('is absent if no month is due', () => {
    expect(dueOutcome([{ resource: 'payments', months: [] }])).toEqual({
      ok: true,
      text: 'no month may be archived',
    });
  });
});

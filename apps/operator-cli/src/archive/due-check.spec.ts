import { describe, expect, it } from '@jest/globals';
import { dueOutcome } from './due-check.js';

describe('doctor warns of months that may be archived (docs/how-to/retention.md)', () => {
  it('warns with their number and the oldest, and says what to run', () => {
    const months = [{ since: '2027-06-01' }, { since: '2027-07-01' }];
    expect(
      dueOutcome([
        { resource: 'payments', months },
        { resource: 'consents', months: [] },
      ]),
    ).toEqual({
      ok: true,
      text: 'payments: 2 months may be archived, the oldest since 2027-06-01',
      mend: expect.stringMatching(/archive due$/),
    });
  });

  it('is content when there are none', () => {
    expect(dueOutcome([{ resource: 'payments', months: [] }])).toEqual({
      ok: true,
      text: 'no month may be archived',
    });
  });
});

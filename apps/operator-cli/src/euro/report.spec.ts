import { describe, expect, it } from '@jest/globals';
import { reportJson, reportText, type SwitchOverReport } from './report.js';

const report: SwitchOverReport = {
  at: '2025-12-31T22:00:00.000Z',
  dryRun: false,
  accounts: { converted: 0, bgn: 0, eur: 0, roundingDifference: 0 },
  payments: { settledBefore: 3, converted: 12, orders: 4, bulks: 1, rejectedUnsigned: 2 },
  attention: [],
  invariants: '8 of 8',
};

describe('the report of a bank with its own core system (contract E6.1)', () => {
  it.each([
    [2, 'asked about 2 accounts, none is in BGN'],
    [1, 'asked about 1 account, not in BGN'],
    [0, 'not asked, because no payment or valid consent names an account'],
  ])('says how many accounts that system was asked about: %d', (accountsAsked, text) => {
    const lines = reportText({ ...report, accountsAsked }).split('\n');
    expect(lines).toContain(`  core bank: ${text}`);
    expect(reportJson({ ...report, accountsAsked })).toMatchObject({ accountsAsked });
  });

  it('says nothing of it at a bank with the sandbox ledger', () => {
    expect(reportText(report)).not.toContain('core bank');
    expect(reportJson(report)).not.toHaveProperty('accountsAsked');
  });
});

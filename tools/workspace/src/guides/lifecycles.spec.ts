import { describe, expect, it } from '@jest/globals';
import { consentStatuses, isFinalConsent } from '@xs2a/domain/consent/consent-transitions';
import { type Lifecycle, lifecycles } from '@xs2a/domain/payment/payment-transitions';
import { readText } from '../sources.js';

/** The rows of the first table of a page that has this heading of its first column. */
const rowsOf = (file: string, column: string): string[][] => {
  const lines = readText(file).split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${column} `));
  const rows = lines.slice(start + 2);
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith('|')),
    )
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
};
const isCalledFinal = (meaning = ''): boolean => /\bfinal\b/.test(meaning);

const { payments, 'periodic-payments': orders, 'bulk-payments': bulk } = lifecycles;
const placesOf = (lifecycle: Lifecycle) => Object.values(lifecycle);
/** Whether no stage of the status leads to another status. ACCP without funds is final, and the page says so in its text. */
const isFinal = (lifecycle: Lifecycle, status: string): boolean =>
  placesOf(lifecycle)
    .filter((row) => row.status === status)
    .every(({ on }) => Object.values(on).every((next) => lifecycle[next]?.status === status));
const isCancellable = (lifecycle: Lifecycle, status: string): boolean =>
  placesOf(lifecycle).some((row) => row.status === status && 'cancelled' in row.on);

describe('docs/how-to/follow-a-payment.md', () => {
  const rows = rowsOf('docs/how-to/follow-a-payment.md', 'status');

  it('has each status that a payment or bulk payment can have', () => {
    const statuses = new Set(
      [payments, orders, bulk].flatMap((one) => placesOf(one).map(({ status }) => status)),
    );
    expect(rows.map(([status]) => status).toSorted()).toEqual(
      [...statuses].map((one) => `\`${one}\``).toSorted(),
    );
  });

  it.each(rows)(
    'says of %s whether it is final and whether a payment can be deleted',
    (status, meaning, deleted) => {
      const name = status.replaceAll('`', '');
      expect([name, isCalledFinal(meaning)]).toEqual([name, isFinal(payments, name) && isFinal(bulk, name)]);
      expect([name, deleted]).toEqual([name, isCancellable(payments, name) ? 'yes' : 'no']);
    },
  );

  it('says what differs for a periodic order', () => {
    expect(isCancellable(orders, 'ACSP')).toBe(true);
    expect(readText('docs/how-to/follow-a-payment.md')).toMatch(/order stays `ACSP`[^.]*can be deleted/);
  });

  it('draws each step of a payment', () => {
    const [, drawing = ''] = readText('docs/how-to/follow-a-payment.md').split('```');
    for (const { status } of placesOf(payments)) expect(drawing).toContain(status);
  });
});

describe('docs/how-to/read-accounts.md', () => {
  const rows = rowsOf('docs/how-to/read-accounts.md', 'status');

  it('has each status of a consent', () => {
    expect(rows.map(([status]) => status)).toEqual(
      expect.arrayContaining(consentStatuses.map((one) => `\`${one}\``)),
    );
    expect(rows).toHaveLength(consentStatuses.length);
  });

  it.each(consentStatuses)('says of %s whether it is final', (status) => {
    const [, meaning] = rows.find(([name]) => name === `\`${status}\``) ?? [];
    expect(isCalledFinal(meaning)).toBe(isFinalConsent(status));
  });
});

import { describe, expect, it } from '@jest/globals';
import { readPage, readTransactionsQuery, readWithBalance } from './account-query.js';

const today = '2026-11-20';
const read = (
  query: Record<string, string | string[]>,
  tokenIsFresh = false,
): ReturnType<typeof readTransactionsQuery> =>
  readTransactionsQuery(query, { resourceId: 'r', today, tokenIsFresh });
const failing = (query: Record<string, string | string[]>, fresh = false): string[] => {
  const result = read(query, fresh);
  return 'failures' in result ? result.failures.map(({ failure, path }) => `${failure} ${path}`) : [];
};

describe('the parser of transaction queries (contract 6, spec 4.4)', () => {
  it('applies the default values', () => {
    expect(read({})).toEqual({
      value: {
        resourceId: 'r',
        dateFrom: '2026-08-22',
        dateTo: today,
        bookingStatus: 'both',
        pageSize: 50,
        withBalance: false,
      },
    });
  });

  it('accepts valid parameters and ignores unknown ones', () => {
    const query = {
      dateFrom: '2026-11-01',
      dateTo: '2026-11-02',
      bookingStatus: 'booked',
      pageSize: '500',
      cursor: 'b3BhcXVl',
      withBalance: 'true',
      utm_source: 'x',
    };
    expect(read(query)).toEqual({
      value: {
        resourceId: 'r',
        dateFrom: '2026-11-01',
        dateTo: '2026-11-02',
        bookingStatus: 'booked',
        pageSize: 500,
        cursor: 'b3BhcXVl',
        withBalance: true,
      },
    });
  });

  it('accepts itemsPerPage as an alias of pageSize (contract 6)', () => {
    expect(read({ itemsPerPage: '20' })).toMatchObject({ value: { pageSize: 20 } });
    expect(read({ itemsPerPage: '20', pageSize: '20' })).toMatchObject({ value: { pageSize: 20 } });
    expect(readPage({ itemsPerPage: '20' })).toEqual({ value: { pageSize: 20, cursor: undefined } });
  });

  it.each<[Record<string, string | string[]>, string]>([
    [{ dateFrom: '' }, 'fieldMalformed dateFrom'],
    [{ dateFrom: '2026-11-31' }, 'fieldMalformed dateFrom'],
    [{ dateFrom: '20-11-2026' }, 'fieldMalformed dateFrom'],
    [{ dateFrom: '2026-11-20T00:00:00Z' }, 'fieldMalformed dateFrom'],
    [{ dateFrom: ['2026-11-01', '2026-11-01'] }, 'fieldMalformed dateFrom'],
    [{ dateTo: 'today' }, 'fieldMalformed dateTo'],
    [{ pageSize: '0' }, 'fieldMalformed pageSize'],
    [{ itemsPerPage: '501' }, 'fieldMalformed itemsPerPage'],
    [{ pageSize: '10', itemsPerPage: '20' }, 'fieldMalformed itemsPerPage'],
    [{ pageIndex: '1' }, 'parameterNotSupported pageIndex'],
    [{ pageIndex: ['1', '2'] }, 'parameterNotSupported pageIndex'],
    [{ bookingStatus: 'information' }, 'parameterNotSupported bookingStatus'],
    [{ bookingStatus: 'all' }, 'parameterNotSupported bookingStatus'],
    [{ pageSize: '501' }, 'fieldMalformed pageSize'],
    [{ pageSize: '-1' }, 'fieldMalformed pageSize'],
    [{ pageSize: '1.0' }, 'fieldMalformed pageSize'],
    [{ pageSize: '050' }, 'fieldMalformed pageSize'],
    [{ pageSize: '1e2' }, 'fieldMalformed pageSize'],
    [{ pageSize: '' }, 'fieldMalformed pageSize'],
    [{ bookingStatus: 'some' }, 'fieldMalformed bookingStatus'],
    [{ bookingStatus: 'Booked' }, 'fieldMalformed bookingStatus'],
    [{ cursor: '' }, 'fieldMalformed cursor'],
    [{ cursor: 'x'.repeat(513) }, 'fieldMalformed cursor'],
    [{ withBalance: '1' }, 'fieldMalformed withBalance'],
    [{ deltaList: 'true', dateFrom: '2026-11-01' }, 'fieldMalformed deltaList'],
    [{ deltaList: 'true', dateTo: '2026-11-02' }, 'fieldMalformed deltaList'],
    [{ deltaList: 'true', entryReferenceFrom: 'a' }, 'fieldMalformed deltaList'],
    [{ deltaList: 'yes' }, 'fieldMalformed deltaList'],
    [{ entryReferenceFrom: '' }, 'fieldMalformed entryReferenceFrom'],
    [{ entryReferenceFrom: 'x'.repeat(36) }, 'fieldMalformed entryReferenceFrom'],
    [{ dateFrom: '2026-11-03', dateTo: '2026-11-02' }, 'periodInvalid dateFrom'],
    [{ dateFrom: '2026-11-21' }, 'periodInvalid dateFrom'],
    [{ dateTo: '2026-08-21' }, 'periodInvalid dateTo'],
  ])('refuses %j', (query, expected) => {
    expect(failing(query)).toEqual([expected]);
  });

  it('reports all violations together', () => {
    expect(failing({ dateFrom: 'x', pageSize: '0', bookingStatus: 'x' })).toEqual([
      'fieldMalformed dateFrom',
      'fieldMalformed bookingStatus',
      'fieldMalformed pageSize',
    ]);
  });

  it('allows dates older than 90 days only with a fresh token (spec 8)', () => {
    expect(failing({ dateFrom: '2026-08-22' })).toEqual([]);
    expect(failing({ dateFrom: '2026-08-21' })).toEqual(['tokenNotFresh dateFrom']);
    expect(failing({ dateFrom: '2026-08-21' }, true)).toEqual([]);
  });

  it('applies the same rules to the withBalance parameter of account requests', () => {
    expect(readWithBalance({ withBalance: 'true' })).toEqual({ value: true });
    expect(readWithBalance({})).toEqual({ value: false });
    expect(readWithBalance({ withBalance: ['true', 'true'] })).toMatchObject({
      failures: [{ path: 'withBalance' }],
    });
  });
});

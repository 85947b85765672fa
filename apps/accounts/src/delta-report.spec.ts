import { describe, expect, it } from '@jest/globals';
import { beforeAnyReport, deltaCursor, readDeltaCursor, reportsUpToNow } from './delta-report.js';

const bookedSince = '2026-11-20T09:30:00.123Z';

describe('delta reports (contract 6: deltaList)', () => {
  it.each([{ bookedSince }, { bookedSince: beforeAnyReport }, { bookedSince, cursor: 'A-_z.=' }])(
    'keep their start time in a link: %j',
    (place) => expect(readDeltaCursor(deltaCursor(place))).toEqual(place),
  );

  it.each(['', '.', 'AAAA', 'zzzzzzzzzz.', '-1.', 'A.b'])('reject %j as a delta cursor', (text) => {
    expect(readDeltaCursor(text)).toBeUndefined();
  });

  it('start from a previous report only if it was a first page with everything booked up to the current day', () => {
    const query = {
      resourceId: 'r',
      dateFrom: '2026-11-20',
      dateTo: '2026-11-20',
      bookingStatus: 'both',
      pageSize: 1,
      withBalance: false,
    } as const;
    expect(reportsUpToNow(query, '2026-11-20')).toBe(true);
    expect(reportsUpToNow({ ...query, bookingStatus: 'booked' }, '2026-11-20')).toBe(true);
    expect(reportsUpToNow({ ...query, bookingStatus: 'pending' }, '2026-11-20')).toBe(false);
    expect(reportsUpToNow({ ...query, cursor: 'c' }, '2026-11-20')).toBe(false);
    expect(reportsUpToNow(query, '2026-11-21')).toBe(false);
  });
});

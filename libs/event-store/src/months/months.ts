/** A month of events (UTC), for example `2027-03`: that of the time in their stream's id (UUIDv7). */
export interface Month {
  readonly name: string;
  /** The partition that contains the month's events. */
  readonly partition: string;
  /** The lowest id of the month, and the lowest id of the next month. */
  readonly from: string;
  readonly to: string;
}

const lowestId = (epochMs: number): string => {
  const time = epochMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
};

const makeMonth = (year: string, month: string): Month => {
  const start = (more: number): number => Date.UTC(Number(year), Number(month) - 1 + more, 1);
  return {
    name: `${year}-${month}`,
    partition: `events_${year}_${month}`,
    from: lowestId(start(0)),
    to: lowestId(start(1)),
  };
};

/** Returns undefined if the text is not a month. */
export const parseMonth = (text: string): Month | undefined => {
  const [, year, month] = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  return year === undefined || month === undefined ? undefined : makeMonth(year, month);
};

/** Returns the month in which a stream began, by its id (UUIDv7). */
export const monthOfStream = (streamId: string): Month => {
  const began = new Date(parseInt(streamId.slice(0, 8) + streamId.slice(9, 13), 16)).toISOString();
  const [year = '', month = ''] = began.split('-');
  return makeMonth(year, month);
};

/** Returns the first instant of the month that is `before` months before the current one, or after it if negative. */
export const startOfMonth = (nowMs: number, before: number): Date => {
  const now = new Date(nowMs);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - before, 1));
};

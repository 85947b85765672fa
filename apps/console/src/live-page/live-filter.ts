import { BadRequestException } from '@nestjs/common';
import type { EventResource } from '@xs2a/contracts/event-streams';
import { isMaxText } from '@xs2a/domain/text/text';
import { type Moment, readMoment } from '../resources-pages/moments.js';

/** Which events a person watches. */
export interface LiveFilter {
  readonly log: EventResource;
  readonly type?: string | undefined;
  readonly tpp?: string | undefined;
  readonly product?: string | undefined;
  /** The status that the resource has now. */
  readonly status?: string | undefined;
  /** Only events before this position, or by this time: a part of the past, which does not move. */
  readonly before?: Moment | undefined;
}

/** Reads the filter from the address of the page. Throws BadRequestException if a value cannot be meant. */
export const readLiveFilter = (query: Readonly<Record<string, unknown>>): LiveFilter => {
  const log = query['log'] ?? 'payments';
  if (log !== 'payments' && log !== 'consents') throw new BadRequestException();
  return {
    log,
    type: readText(query['type'], 50),
    tpp: readText(query['tpp'], 200),
    product: readText(query['product'], 50),
    status: readText(query['status'], 50),
    before: readMoment(query['before']),
  };
};

const readText = (value: unknown, max: number): string | undefined => {
  if (value === undefined || value === '') return undefined;
  if (!isMaxText(value, max)) throw new BadRequestException();
  return value.trim();
};

/** Reads a position of the log; undefined if there is none. */
export const readPosition = (value: unknown): number | undefined => {
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string' || !/^\d{1,15}$/.test(value)) throw new BadRequestException();
  return Number(value);
};

/** Returns the query of the events that match a filter, without its position or time. */
export const liveQuery = ({ log, type, tpp, product, status }: LiveFilter): string => {
  const query = new URLSearchParams({ log });
  for (const [name, value] of Object.entries({ type, tpp, product, status }))
    if (value !== undefined) query.set(name, value);
  return query.toString();
};

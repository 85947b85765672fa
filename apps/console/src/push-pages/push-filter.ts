import { BadRequestException } from '@nestjs/common';
import { isMaxText } from '@xs2a/domain/text/text';
import { isUuid } from '@xs2a/domain/text/uuid';

/** Which notifications a person looks for. */
export interface PushFilter {
  readonly tpp?: string | undefined;
  /** The payment, consent or basket. */
  readonly resource?: string | undefined;
}

/** Reads the filter from the address of the page. Throws BadRequestException if a value cannot be meant. */
export const readPushFilter = (query: Readonly<Record<string, unknown>>): PushFilter => {
  const [tpp, resource] = [readText(query['tpp']), readText(query['resource'])];
  if (resource !== undefined && !isUuid(resource)) throw new BadRequestException();
  return { tpp, resource };
};

const readText = (value: unknown): string | undefined => {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw new BadRequestException();
  const text = value.trim();
  if (text === '') return undefined;
  if (!isMaxText(text, 255)) throw new BadRequestException();
  return text;
};

/** Returns the address of the notifications that match a filter. */
export const pushPath = ({ tpp, resource }: PushFilter): string => {
  const query = new URLSearchParams();
  if (tpp !== undefined) query.set('tpp', tpp);
  if (resource !== undefined) query.set('resource', resource);
  return query.size === 0 ? '/push' : `/push?${query.toString()}`;
};

import { BadRequestException } from '@nestjs/common';
import type { ActionFilter } from '../actions/action-reader.js';
import { acts } from '../actions/acts.js';

/** PostgreSQL stores no NUL in a text. */
const nul = '\0';

/** Reads the filter from the address of the page. Throws BadRequestException if a value cannot be meant. */
export const readActionFilter = (query: Readonly<Record<string, unknown>>): ActionFilter => {
  const [by, act, before] = ['by', 'act', 'before'].map((name) => readText(query[name]));
  if (act !== undefined && !Object.hasOwn(acts, act)) throw new BadRequestException();
  if (before !== undefined && !/^\d{1,15}$/.test(before)) throw new BadRequestException();
  return { by, act, before: before === undefined ? undefined : Number(before) };
};

const readText = (value: unknown): string | undefined => {
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string' || value.length > 200 || value.includes(nul)) throw new BadRequestException();
  return value.trim();
};

/** Returns the address of the actions that match a filter. `verify`: the whole chain is verified. */
export const actionsPath = ({ by, act, before }: ActionFilter, verify = false): string => {
  const query = new URLSearchParams(
    Object.entries({ by, act, before: before?.toString(), verify: verify ? 'all' : undefined }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  ).toString();
  return query === '' ? '/actions' : `/actions?${query}`;
};

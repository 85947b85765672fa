import { BadRequestException } from '@nestjs/common';
import { isUuid } from '@xs2a/domain/text/uuid';

/** What a person looks for among the calls. */
export interface CallFilter {
  readonly tpp?: string;
  readonly operation?: string;
  readonly code?: string;
  readonly path?: string;
  readonly dependency?: string;
  /** An HTTP status, `refused` (4xx) or `failed` (5xx). */
  readonly status?: string;
  /** The payment, consent or basket. */
  readonly resource?: string;
  /** The trace id: 32 hexadecimal digits. */
  readonly trace?: string;
  /** The last call of the previous page. */
  readonly before?: Position;
}

/** A place in the list of calls, newest first. */
interface Position {
  readonly at: Date;
  readonly callId: number;
}

/** PostgreSQL stores no NUL in a text. */
const nul = '\0';
const names = ['tpp', 'operation', 'code', 'path', 'dependency', 'status', 'resource', 'trace'] as const;
const position = /^(\d{1,15})\.(\d{1,18})$/;

/** Reads the filter from the address of a page. Throws BadRequestException if a value cannot be meant. */
export const readFilter = (query: Readonly<Record<string, unknown>>): CallFilter => {
  const entries = names.flatMap((name): [string, string][] => {
    const value = query[name];
    if (value === undefined || value === '') return [];
    if (typeof value !== 'string' || value.length > 200 || value.includes(nul))
      throw new BadRequestException();
    return [[name, value.trim()]];
  });
  const filter = Object.fromEntries(entries) as CallFilter;
  if (filter.status !== undefined && !/^(?:refused|failed|[1-5]\d\d)$/.test(filter.status))
    throw new BadRequestException();
  if (filter.resource !== undefined && !isUuid(filter.resource)) throw new BadRequestException();
  return { ...filter, before: readPosition(query['before']) };
};

const readPosition = (value: unknown): Position | undefined => {
  if (value === undefined) return undefined;
  const [, at, callId] = (typeof value === 'string' ? position.exec(value) : null) ?? [];
  if (at === undefined || callId === undefined) throw new BadRequestException();
  return { at: new Date(Number(at)), callId: Number(callId) };
};

/** Returns the address of the calls that match a filter. */
export const callsPath = (filter: CallFilter): string => {
  const { before, ...texts } = filter;
  const query = new URLSearchParams(
    Object.entries(texts).filter(([, value]) => value !== undefined) as [string, string][],
  );
  if (before !== undefined) query.set('before', `${before.at.getTime()}.${before.callId}`);
  const text = query.toString();
  return text === '' ? '/calls' : `/calls?${text}`;
};

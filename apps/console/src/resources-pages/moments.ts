import { BadRequestException } from '@nestjs/common';
import type { TimelineEvent } from '@xs2a/contracts/timeline.contract';

/** A point in the history of a resource: a position in the log, or a time. */
export type Moment = { readonly position: number } | { readonly timeMs: number };

const position = /^\d{1,15}$/;
/** `2026-11-27`, `2026-11-27 13:44`, `2026-11-27T13:44:20.402Z`. Without a zone, it is UTC. */
const time = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)Z?)?$/;

/** Reads a moment from the address of a page; undefined if there is none. Throws BadRequestException if it cannot be meant. */
export const readMoment = (value: unknown): Moment | undefined => {
  if (value === undefined || value === '') return undefined;
  const text = typeof value === 'string' ? value.trim() : '';
  if (position.test(text)) return { position: Number(text) };
  const [, day, clock = '00:00'] = time.exec(text) ?? [];
  const timeMs = Date.parse(`${day}T${clock}Z`);
  if (Number.isNaN(timeMs)) throw new BadRequestException();
  return { timeMs };
};

export const momentText = (moment: Moment): string =>
  'position' in moment
    ? `position ${moment.position}`
    : new Date(moment.timeMs).toISOString().replace('T', ' ').replace('Z', ' UTC');

/** The text that {@link readMoment} reads as a moment. */
export const inputText = (moment: Moment): string =>
  'position' in moment ? String(moment.position) : momentText(moment).replace(' UTC', '');

/** True if an event had happened by a moment. An event without a position has none yet, so it is after every position. */
export const isBy = ({ pos, at }: Pick<TimelineEvent, 'pos' | 'at'>, moment: Moment): boolean =>
  'position' in moment ? pos !== null && pos <= moment.position : Date.parse(at) <= moment.timeMs;

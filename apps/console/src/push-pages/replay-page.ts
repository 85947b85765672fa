import { BadRequestException } from '@nestjs/common';
import { maxDeadListed } from '@xs2a/contracts/notifications.contract';
import { type Html, html } from '@xs2a/html/html';
import { isUuid } from '@xs2a/domain/text/uuid';
import { actionForm } from '../actions/action-form.js';
import { commandLine } from '../pages/command-line.js';
import { isClientId } from '../tpps/client-id.js';
import { readPushFilter } from './push-filter.js';

/** Which dead letters to send again: one, those of a TPP, or all. */
export interface Replay {
  readonly notification?: string | undefined;
  readonly tpp?: string | undefined;
}

/** Reads them from an address or a form. Throws BadRequestException if a value cannot be meant. */
export const readReplay = (from: Readonly<Record<string, unknown>>): Replay => {
  const { tpp } = readPushFilter({ tpp: from['tpp'] });
  const notification = from['notification'];
  if (notification === undefined) return { tpp };
  if (!isUuid(notification) || tpp !== undefined) throw new BadRequestException();
  return { notification };
};

export const replayPath = ({ notification, tpp }: Replay): string => {
  const query = new URLSearchParams();
  if (notification !== undefined) query.set('notification', notification);
  if (tpp !== undefined) query.set('tpp', tpp);
  return query.size === 0 ? '/push/replay' : `/push/replay?${query.toString()}`;
};

/** Of a client id, no character is a space. */
const everyTpp = 'all TPPs';
/** As it is recorded. */
export const targetOf = ({ notification, tpp }: Replay): string => notification ?? tpp ?? everyTpp;
/** True for what {@link targetOf} records. */
export const isReplayTarget = (target: string): boolean =>
  target === everyTpp || isUuid(target) || isClientId(target);
/** What {@link targetOf} recorded. */
export const readTarget = (target: string): Replay => {
  if (target === everyTpp) return {};
  return isUuid(target) ? { notification: target } : { tpp: target };
};

const commandOf = ({ notification, tpp }: Replay): string => {
  if (notification !== undefined) return `xs2a notifications replay ${notification}`;
  return tpp === undefined
    ? 'xs2a notifications replay --all'
    : commandLine('xs2a notifications replay', { tpp });
};

/** What would be sent again, and the form. `count`: the dead letters that there are now. */
export const replayBody = (replay: Replay, count: number, csrf: string): Html => {
  if (count === 0)
    return html`<p class="card" role="status">There is no dead letter to send again any more.</p>`;
  const { notification, tpp } = replay;
  const isJob = notification === undefined;
  const of = isJob ? ` of ${targetOf(replay)}` : ` ${notification}`;
  const letters = count === 1 ? `the dead letter${of}` : `the ${count} dead letters${of}`;
  const cut = count === maxDeadListed ? ' There may be more: only the oldest are sent.' : '';
  const does = `Sends ${letters} again, for another 24 hours.${isJob ? ` A job sends them one after another, oldest first, and can be paused.${cut}` : ''}`;
  const command = commandOf(replay);
  const hidden = {
    ...(notification === undefined ? {} : { notification }),
    ...(tpp === undefined ? {} : { tpp }),
    ...(isJob && tpp === undefined ? { all: 'yes' } : {}),
  };
  return html`<section class="card" aria-label="Send again">
    ${actionForm({ csrf, to: '/push/replay', does, button: 'Send again', command, hidden })}
  </section>`;
};

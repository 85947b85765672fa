import { eventType, type EventTypes } from '@xs2a/domain/event-types';

/** Events as written by the first release of an example. */
export type FirstEvent = { readonly type: 'paid'; readonly data: { readonly amount: string } };
export const firstTypes: EventTypes<FirstEvent['type']> = { paid: eventType('Money moved.') };

/** Events as written by the next release. */
export type NextEvent = {
  readonly type: 'paid';
  readonly data: { readonly minor: number; readonly currency: string };
};
export const nextTypes: EventTypes<NextEvent['type']> = {
  paid: eventType('Money moved.', (data) => ({
    minor: Math.round(Number((data as FirstEvent['data']).amount) * 100),
    currency: 'BGN',
  })),
};

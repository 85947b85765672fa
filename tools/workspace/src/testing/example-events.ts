import { eventType, type EventTypes } from '@xs2a/events/event-types';

/** Events as the first release of an example writes them. */
export type FirstEvent = { readonly type: 'paid'; readonly data: { readonly amount: string } };
export const firstTypes: EventTypes<FirstEvent['type']> = { paid: eventType('Money moved.') };

/** Events as the next release writes them. */
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

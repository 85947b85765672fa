import { eventTypesOf } from '@xs2a/events/field-tables';

/** Events as the first release of an example writes them. */
export type FirstEvent = { readonly type: 'paid'; readonly data: { readonly amount: string } };
export const firstTypes = eventTypesOf<FirstEvent>({
  paid: { meaning: 'Money moved.', fields: { amount: 'plain' } },
});

/** Events as the next release writes them. */
export type NextEvent = {
  readonly type: 'paid';
  readonly data: { readonly minor: number; readonly currency: string };
};
export const nextTypes = eventTypesOf<NextEvent>({
  paid: {
    meaning: 'Money moved.',
    fields: { minor: 'plain', currency: 'plain' },
    upcasts: [
      (data) => ({
        minor: Math.round(Number((data as FirstEvent['data']).amount) * 100),
        currency: 'BGN',
      }),
    ],
  },
});

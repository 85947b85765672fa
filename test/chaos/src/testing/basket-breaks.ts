import type { Invariant } from '@xs2a/invariants/invariants';
import type { KnownWorld } from './known-world.js';

/** SQL text and its parameters. */
export type Statement = readonly [text: string, ...values: string[]];

/**
 * Ways to break an invariant of signing baskets: the invariant's number, a title, the statements, and the expected
 * finding.
 */
export const basketBreaks: readonly (readonly [
  Invariant['number'],
  string,
  (known: KnownWorld) => Statement[],
  string,
])[] = [
  [
    2,
    'a payment that was not given the signature of its basket',
    ({ baskets }) => [
      [
        "DELETE FROM payments.events WHERE stream_id = $1 AND type = 'signed'",
        baskets.signed.payments[0]?.paymentId ?? '',
      ],
    ],
    'was given 0 × the signature of basket',
  ],
  [
    2,
    'a consent that was given the signature of its basket twice',
    ({ baskets }) => [
      [
        `INSERT INTO consents.events SELECT (jsonb_populate_record(e, jsonb_build_object('version', version + 100))).*
           FROM consents.events e WHERE stream_id = $1 AND type = 'authorised'`,
        baskets.signed.consents[0]?.consentId ?? '',
      ],
    ],
    'was given 2 × the signature of basket',
  ],
  [
    2,
    'a basket that updated its items twice',
    ({ baskets }) => [
      [
        `INSERT INTO payments.events SELECT (jsonb_populate_record(e, jsonb_build_object('version', version + 100))).*
           FROM payments.events e WHERE stream_id = $1 AND type = 'basket-items-updated'`,
        baskets.signed.basketId,
      ],
    ],
    'has 2 × basket-items-updated',
  ],
  [
    2,
    'an item that a dissolved basket keeps',
    ({ baskets }) => [
      [
        `UPDATE payments.payment_view SET state = jsonb_set(state::jsonb, '{basketId}', to_jsonb($2::text))::json
           WHERE stream_id = $1`,
        baskets.dissolved.payments[0]?.paymentId ?? '',
        baskets.dissolved.basketId,
      ],
    ],
    'was cancelled',
  ],
  [
    2,
    'an item that outlives a rejected basket',
    ({ baskets }) => [
      ["UPDATE payments.basket_view SET stage = 'rejected' WHERE stream_id = $1", baskets.dissolved.basketId],
    ],
    'was rejected',
  ],
  [
    6,
    'an item that was cancelled while it was in a basket',
    ({ baskets }) => [
      [
        `UPDATE payments.events SET type = 'cancelled' WHERE stream_id = $1 AND type = 'ungrouped'`,
        baskets.dissolved.payments[0]?.paymentId ?? '',
      ],
    ],
    'cancelled while it was in basket',
  ],
  [
    6,
    'an item that was signed alone while it was in a basket',
    ({ baskets }) => [
      [
        `UPDATE consents.events SET data = (data::jsonb || '{"authorisationId": "another"}')::json
           WHERE stream_id = $1 AND type = 'authorisation-started'`,
        baskets.signed.consents[0]?.consentId ?? '',
      ],
    ],
    'authorisation-started while it was in basket',
  ],
  [
    6,
    'a basket that has not got its item',
    ({ baskets }) => [
      [
        `UPDATE payments.payment_view SET state = (state::jsonb - 'basketId')::json WHERE stream_id = $1`,
        baskets.open.payments[0]?.paymentId ?? '',
      ],
    ],
    'RCVD and not in it',
  ],
  [
    6,
    'a basket that was completed before its items',
    ({ baskets }) => [
      [
        "UPDATE payments.payment_view SET status = 'ACSP' WHERE stream_id = $1",
        baskets.signed.payments[0]?.paymentId ?? '',
      ],
    ],
    'is completed, its payment',
  ],
  [
    6,
    'an item in a basket that does not name it',
    ({ payments }) => [
      [
        `UPDATE payments.payment_view SET state = jsonb_set(state::jsonb, '{basketId}', '"another"')::json WHERE stream_id = $1`,
        payments.unsigned.paymentId,
      ],
    ],
    'is in basket another, which does not name it',
  ],
];

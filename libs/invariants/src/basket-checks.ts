import {
  baskets as basketPages,
  findViolations,
  inPage,
  type Paged,
  paymentEvents,
  payments,
  type Schemas,
} from './paged.js';

const consents: Paged = { table: 'consents.consent_view' };

/**
 * An SQL condition that is true if the item is in its status view, or should be there because its month was never
 * archived and it was not erased.
 */
const isHere = (schema: 'payments' | 'consents', view: string): string =>
  `(EXISTS (SELECT FROM ${schema}.${view} v WHERE v.stream_id = i.id::uuid)
    OR (to_char(uuid_extract_timestamp(i.id::uuid) AT TIME ZONE 'UTC', 'YYYY-MM') IN (SELECT month FROM ${schema}.archived_month)) IS NOT TRUE
      AND NOT EXISTS (SELECT FROM ${schema}.stream_key k WHERE k.stream_id = i.id::uuid AND k.erased_at IS NOT NULL))`;

/**
 * SQL that returns a page of baskets with their items, the items' rows in their own views, and their events, for
 * both payments and consents. `is_updated` means that all items have received the basket's outcome. `is_undecided`
 * means that the status is RCVD (payment) or received (consent). Excludes archived items. Also excludes payments
 * whose cancellation was repeated after the database had lost it (ADR 35): these cancellations were answered with
 * 204, and in the lost history the payments had been signed with their basket first.
 */
const baskets = `
  WITH cancelled_again AS (
    SELECT stream_id FROM payments.lost_event WHERE type = 'cancelled' AND released_at IS NOT NULL),
  basket AS (
    SELECT stream_id AS id, stage, state->'authorisations' AS authorisations, state->'paymentIds' AS payment_ids,
      state->'consentIds' AS consent_ids, state->>'updatesItemsSince' IS NULL AS is_updated FROM payments.basket_view
    WHERE ${inPage('stream_id')}),
  item AS (
    SELECT b.*, 'payment' AS kind, i.id::uuid AS item_id FROM basket b CROSS JOIN json_array_elements_text(payment_ids) AS i (id)
    WHERE i.id::uuid NOT IN (SELECT stream_id FROM cancelled_again) AND ${isHere('payments', 'payment_view')}
    UNION ALL
    SELECT b.*, 'consent', i.id::uuid FROM basket b CROSS JOIN json_array_elements_text(consent_ids) AS i (id)
    WHERE ${isHere('consents', 'consent_view')}),
  standing AS NOT MATERIALIZED (
    SELECT 'payment' AS kind, stream_id AS item_id, status, state->>'basketId' AS basket_id, status = 'RCVD' AS is_undecided,
      status IN ('PATC', 'ACSP') OR (status = 'ACCP' AND funds_available IS NOT FALSE) AS is_moving FROM payments.payment_view
    WHERE stream_id NOT IN (SELECT stream_id FROM cancelled_again)
    UNION ALL
    SELECT 'consent', stream_id, status, state->>'basketId', status = 'received', false FROM consents.consent_view),
  event AS NOT MATERIALIZED (
    SELECT 'payment' AS kind, stream_id AS item_id, version, type, data FROM payments.events
    UNION ALL SELECT 'consent', stream_id, version, type, data FROM consents.events)`;

const isOfBasket = (event: string): string =>
  `EXISTS (SELECT FROM json_array_elements(authorisations) AS a WHERE a->>'authorisationId' = ${event}.data->>'authorisationId')`;

/** Invariant 2 for signing baskets: each item receives its basket's outcome exactly once. */
export const basketUpdateViolations = async (schemas: Schemas): Promise<string[]> => [
  ...(await findViolations(
    schemas,
    basketPages,
    `${baskets}, signature AS (
       SELECT item.id, kind, item_id, (SELECT count(*) FROM event e WHERE e.kind = item.kind AND e.item_id = item.item_id
           AND e.type IN ('signed', 'authorised', 'rejected') AND ${isOfBasket('e')}) AS count
       FROM item WHERE stage IN ('signed', 'completed') AND is_updated)
     SELECT kind || ' ' || item_id || ' was given ' || count || ' × the signature of basket ' || id AS violation
     FROM signature WHERE count <> 1`,
  )),
  ...(await findViolations(
    schemas,
    basketPages,
    `${baskets} SELECT s.kind || ' ' || s.item_id || ' is ' || s.status || ', and its basket ' || id || ' was ' || stage AS violation
     FROM item JOIN standing s USING (kind, item_id) WHERE is_updated
       AND ((stage = 'rejected' AND s.status NOT IN ('RJCT', 'rejected'))
         OR (stage IN ('cancelled', 'abandoned') AND s.basket_id = id::text AND is_undecided))`,
  )),
  ...(await findViolations(
    schemas,
    paymentEvents,
    `SELECT 'basket ' || stream_id || ' has ' || count(*) || ' × basket-items-updated' AS violation
     FROM payments.events WHERE ${inPage('stream_id')} AND type = 'basket-items-updated' GROUP BY stream_id HAVING count(*) > 1`,
  )),
];

/**
 * Invariant 6 for signing baskets: while an item is in a basket, its status changes only with the basket's status,
 * and the two never contradict each other. The verification of payees, which a signer sees before, does not change it.
 */
export const groupedItemViolations = async (schemas: Schemas): Promise<string[]> => [
  ...(await findViolations(
    schemas,
    basketPages,
    `${baskets} SELECT g.kind || ' ' || g.item_id || ': ' || n.type || ' while it was in basket ' || (g.data->>'basketId') AS violation
     FROM item JOIN event g ON g.kind = item.kind AND g.item_id = item.item_id AND g.data->>'basketId' = item.id::text
     JOIN event n ON n.kind = g.kind AND n.item_id = g.item_id AND n.version = (SELECT min(e.version) FROM event e
       WHERE e.kind = g.kind AND e.item_id = g.item_id AND e.version > g.version AND e.type <> 'payee-verified')
     WHERE g.type = 'grouped' AND NOT coalesce(CASE n.type
       WHEN 'ungrouped' THEN stage IN ('cancelled', 'abandoned') AND n.data->>'basketId' = g.data->>'basketId'
       WHEN 'authorisation-started' THEN stage IN ('signed', 'completed') AND ${isOfBasket('n')}
       WHEN 'rejected' THEN stage = 'rejected' END, false)`,
  )),
  ...(await findViolations(
    schemas,
    basketPages,
    `${baskets} SELECT 'basket ' || id || ' is ' || stage || ', its ' || s.kind || ' ' || s.item_id || ' ' || s.status
       || CASE WHEN s.basket_id = id::text THEN '' ELSE ' and not in it' END AS violation
     FROM item JOIN standing s USING (kind, item_id)
     WHERE (stage IN ('received', 'partlySigned') AND (s.basket_id IS DISTINCT FROM id::text OR NOT is_undecided))
       OR (stage = 'completed' AND (s.basket_id IS DISTINCT FROM id::text OR is_undecided OR is_moving))`,
  )),
  ...(await findViolations(schemas, payments, namedByNone('payment', 'paymentIds', 'payments.payment_view'))),
  ...(await findViolations(schemas, consents, namedByNone('consent', 'consentIds', 'consents.consent_view'))),
];

/** SQL that finds the payments or consents of a page that refer to a basket in which they are not listed. */
const namedByNone = (kind: string, ids: string, view: string): string =>
  `SELECT '${kind} ' || v.stream_id || ' is in basket ' || (v.state->>'basketId') || ', which does not name it' AS violation
   FROM ${view} v WHERE ${inPage('v.stream_id')} AND v.state->>'basketId' IS NOT NULL
     AND v.stream_id NOT IN (SELECT stream_id FROM payments.lost_event WHERE type = 'cancelled' AND released_at IS NOT NULL)
     AND NOT EXISTS (SELECT FROM payments.basket_view b
       WHERE b.stream_id = CASE WHEN v.state->>'basketId' ~ '^[0-9a-f-]{36}$' THEN (v.state->>'basketId')::uuid END
         AND (b.state->'${ids}')::jsonb @> to_jsonb(v.stream_id::text))`;

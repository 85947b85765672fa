import { type Failure, fail, type FailureName } from '../failure/failures.js';
import type { ItemFacts, ItemOwner } from './basket-items.js';
import type { BasketItems } from './validate-basket.js';

interface Item {
  readonly path: string;
  readonly facts: ItemFacts | undefined;
}

/** The items with their paths in the body. `facts` contains only items that belong to the TPP. */
const itemsIn = ({ paymentIds, consentIds }: BasketItems, facts: ReadonlyMap<string, ItemFacts>): Item[] => [
  ...paymentIds.map((id, index) => ({ path: `paymentIds[${index}]`, facts: facts.get(id) })),
  ...consentIds.map((id, index) => ({ path: `consentIds[${index}]`, facts: facts.get(id) })),
];

/** The combined facts about all items of a basket. */
export interface ValidItems {
  readonly namedPsuId?: string;
  /** The largest number of signatures needed by any item. */
  readonly signaturesRequired: number;
  /** The earliest expiry among the items. */
  readonly expiresAt: string;
}

/**
 * Validates that the items can be signed together (contract 10). Returns the failures of the first stage that
 * fails: an item is unknown or belongs to another TPP; an item is a periodic order, or the owners differ; a status
 * is not RCVD or received; an item is already in a basket; an item has been in too many baskets. `psuId` and
 * `psuCorporateId`: the PSU that the TPP names for the basket.
 */
export function validateItems(
  ids: BasketItems,
  facts: ReadonlyMap<string, ItemFacts>,
  { psuId, psuCorporateId }: { readonly psuId?: string; readonly psuCorporateId?: string } = {},
): { readonly valid: ValidItems } | { readonly failures: readonly Failure[] } {
  const items = itemsIn(ids, facts);
  const known = items.flatMap((item) => item.facts ?? []);
  const where = (failure: FailureName, isWrong: (item: Item) => boolean): Failure[] =>
    items.filter(isWrong).map(({ path }) => fail(failure, path));
  const named = [...new Set([psuId, ...known.map(({ namedPsuId }) => namedPsuId)])].filter(
    (one) => one !== undefined,
  );
  const stages = [
    () => where('itemUnknown', (item) => item.facts === undefined),
    () => where('itemNotGroupable', ({ facts: one }) => one?.isGroupable === false),
    () => (hasMixedOwners(known, named, psuCorporateId) ? [fail('itemsOfSeveralOwners')] : []),
    () => where('itemStatusWrong', ({ facts: one }) => one?.isReceived === false),
    () => where('resourceBlocked', ({ facts: one }) => one?.isGrouped === true),
    () => where('itemGroupedTooOften', ({ facts: one }) => one?.isGroupedOut === true),
  ];
  for (const stage of stages) {
    const failures = stage();
    if (failures.length > 0) return { failures };
  }
  const [namedPsuId] = named;
  const expiries = known.map(({ expiresAt }) => expiresAt).sort();
  const [expiresAt = ''] = expiries;
  const signaturesRequired = Math.max(...known.map((one) => one.signaturesRequired));
  return {
    valid: { namedPsuId, signaturesRequired, expiresAt },
  };
}

const toKey = (owner: ItemOwner): string =>
  'corporateId' in owner ? `corporate:${owner.corporateId}` : `psu:${owner.psuId}`;

/**
 * True if the items name different PSUs, their accounts have different owners, or the named PSU does not own the
 * accounts.
 */
const hasMixedOwners = (
  items: readonly ItemFacts[],
  named: readonly string[],
  corporateId: string | undefined,
): boolean => {
  const owners = new Set(items.flatMap((item) => item.owners.map(toKey)));
  if (corporateId !== undefined) owners.add(toKey({ corporateId }));
  if (named.length > 1 || owners.size > 1) return true;
  const [owner] = owners;
  const [psuId] = named;
  return owner?.startsWith('psu:') === true && psuId !== undefined && owner !== `psu:${psuId}`;
};

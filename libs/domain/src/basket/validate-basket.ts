import { type Failure, fail } from '../failure/failures.js';
import { isJsonObject, type JsonObject, getMember, unknownMembers } from '../form/form-checks.js';

/** The ids of a basket's items, in the order of the body. */
export interface BasketItems {
  readonly paymentIds: readonly string[];
  readonly consentIds: readonly string[];
}

/** Maximum total number of payments and consents in a basket (contract 10). */
export const maxBasketItems = 10;
/** The members of the body of POST /signing-baskets. */
export const basketMembers = ['paymentIds', 'consentIds'] as const;
const idPattern = /^[!-~]{1,100}$/;
type Member = (typeof basketMembers)[number];

const listFailures = (body: JsonObject, member: Member): Failure[] => {
  const list = getMember(body, member);
  if (list === undefined) return [];
  if (!Array.isArray(list) || list.length === 0)
    return [fail('fieldMalformed', member, 'Send a list of at least one id, or leave the field out.')];
  if (list.length > maxBasketItems) return [tooMany(member)];
  return list.flatMap((id: unknown, index) => {
    const path = `${member}[${index}]`;
    if (typeof id !== 'string' || !idPattern.test(id))
      return [fail('fieldMalformed', path, 'Send the id exactly as the bank returned it.')];
    return list.indexOf(id) === index ? [] : [fail('fieldMalformed', path, 'Name each item once.')];
  });
};

const tooMany = (member: Member): Failure =>
  fail(
    'fieldMalformed',
    member,
    `A basket can have at most ${maxBasketItems} items, payments and consents together.`,
  );

const idsIn = (body: JsonObject, member: Member): readonly string[] => {
  const list = getMember(body, member);
  return Array.isArray(list) ? list.map(String) : [];
};

/** Validates the body of POST /signing-baskets; returns all format errors together, in field order (contract 3, 10). */
export function validateBasket(
  body: unknown,
): { readonly valid: BasketItems } | { readonly failures: readonly Failure[] } {
  if (!isJsonObject(body)) return { failures: [fail('bodyNotJson')] };
  const failures = [
    ...basketMembers.flatMap((member) => listFailures(body, member)),
    ...unknownMembers(body, basketMembers, ''),
  ];
  if (failures.length > 0) return { failures };
  const items = { paymentIds: idsIn(body, 'paymentIds'), consentIds: idsIn(body, 'consentIds') };
  const count = items.paymentIds.length + items.consentIds.length;
  if (count === 0)
    return { failures: [fail('fieldMissing', 'paymentIds', 'Name at least one payment or consent.')] };
  return count > maxBasketItems ? { failures: [tooMany('consentIds')] } : { valid: items };
}

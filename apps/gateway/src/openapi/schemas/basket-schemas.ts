import { maxBasketItems } from '@xs2a/domain/basket/validate-basket';
import {
  flag,
  links,
  listOf,
  matching,
  object,
  oneOf,
  ref,
  type Schema,
  setOf,
  uuid,
} from './schema-parts.js';

const ids = (what: string): Schema => setOf(matching(`Id of a ${what}`, '^[!-~]{1,100}$'), maxBasketItems);
const statuses = ['RCVD', 'PATC', 'ACTC', 'ACSC', 'RJCT', 'CANC'];
const status = {
  transactionStatus: oneOf('Status of the basket', ...statuses),
  'tppMessages?': listOf(ref('TppMessage'), 'Why it was rejected'),
};

/** The request body and the responses for signing baskets. */
export const basketSchemas: Readonly<Record<string, Schema>> = {
  BasketRequest: {
    ...object({ 'paymentIds?': ids('payment or bulk payment'), 'consentIds?': ids('consent') }),
    description: `At least one item and at most ${maxBasketItems}, payments and consents together`,
    minProperties: 1,
    not: {
      anyOf: Array.from({ length: maxBasketItems }, (_one, index) => ({
        required: ['paymentIds', 'consentIds'],
        properties: {
          paymentIds: { minItems: index + 1 },
          consentIds: { minItems: maxBasketItems - index },
        },
      })),
    },
  },
  BasketCreated: object({
    transactionStatus: oneOf('Status', 'RCVD'),
    basketId: uuid('Id of the basket'),
    _links: ref('CreatedLinks'),
  }),
  BasketStatusAnswer: object(status),
  BasketItem: object(
    {
      'paymentId?': uuid('Id of the payment or bulk payment'),
      'transactionStatus?': ref('AnyTransactionStatus'),
      'fundsAvailable?': flag('Whether the payment was covered when it was due; absent until then.'),
      'consentId?': uuid('Id of the consent'),
      'consentStatus?': ref('ConsentStatus'),
    },
    'A payment or a consent, and its status',
  ),
  Basket: object({
    'payments?': listOf(uuid('Id of a payment or bulk payment')),
    'consents?': listOf(uuid('Id of a consent')),
    ...status,
    items: listOf(ref('BasketItem'), 'Payments first, each kind in the order of the request'),
    _links: links('self', 'status'),
  }),
};

import { maxCandidates, type PaymentSearch } from '@xs2a/contracts/console/payment-search.contract';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import { fail } from '@xs2a/domain/failure/failures';
import { isMaxText } from '@xs2a/domain/text/text';
import { isIsoDate } from '@xs2a/domain/time/bank-calendar';

/** A member of a search, if its value is valid, and what to send instead. */
type Rule = readonly [path: string, isValid: boolean, text: string];

const isText = (value: unknown, max: number): boolean => value === undefined || isMaxText(value, max);

const rulesOf = ({
  tppId,
  psuId,
  day,
  amount,
  lastFour,
  payee,
  endToEndId,
  limit,
  operator,
  reason,
}: PaymentSearch): readonly Rule[] => [
  ['tppId', (tppId === undefined) !== (psuId === undefined), 'Send either a TPP or a PSU.'],
  ['tppId', isText(tppId, 255), 'Send 1 to 255 characters.'],
  ['psuId', isText(psuId, 64), 'Send 1 to 64 characters.'],
  ['day', isIsoDate(day) && day.startsWith('20'), 'Send a date such as 2026-01-31.'],
  [
    'amount',
    amount === undefined || (Number.isSafeInteger(amount.minor) && /^[A-Z]{3}$/.test(amount.currency)),
    'Send whole minor units and a currency.',
  ],
  ['lastFour', lastFour === undefined || /^[A-Za-z0-9]{4}$/.test(lastFour), 'Send four letters or digits.'],
  ['payee', isText(payee, 140), 'Send 1 to 140 characters.'],
  ['endToEndId', isText(endToEndId, 35), 'Send 1 to 35 characters.'],
  [
    'limit',
    Number.isInteger(limit) && limit >= 1 && limit <= maxCandidates,
    `Send a number from 1 to ${maxCandidates}.`,
  ],
  ['operator', isMaxText(operator, 100), 'Send 1 to 100 characters.'],
  ['reason', isText(reason, 500), 'Send 1 to 500 characters.'],
];

/** Throws CallFailed (fieldMalformed) if a search is by encrypted data, which only the console may ask for. */
export const mustBePlain = ({ lastFour, payee, endToEndId }: Partial<PaymentSearch>): void => {
  if ([lastFour, payee, endToEndId].some((text) => text !== undefined))
    throw callFailed('fieldMalformed', undefined, 'Search in encrypted data through the console.');
};

/** Throws CallFailed (fieldMalformed) with every member that is not valid. */
export const mustBeSearch = (search: PaymentSearch): void => {
  const failures = rulesOf(search).flatMap(([path, isValid, text]) =>
    isValid ? [] : [fail('fieldMalformed', path, text)],
  );
  if (failures.length > 0) throw new CallFailed(failures);
};

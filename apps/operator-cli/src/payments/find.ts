import { searchByCommand } from '@xs2a/contracts/console/reveal.contract';
import {
  findPayments,
  type FoundPayments,
  maxCandidates,
  type PaymentSearch,
} from '@xs2a/contracts/console/payment-search.contract';
import { formatAmount, parseAmount } from '@xs2a/domain/money/money';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import { newId } from '@xs2a/runtime/ids';
import { InvalidArgumentError } from 'commander';
import { userInfo } from 'node:os';
import { askConsole, askPayments } from '../ask-service.js';
import { defineCommand } from '../command-line/define-command.js';
import { countUpTo, isoDate, option } from '../command-line/options.js';
import { table, whole } from '../command-line/output.js';
import { xs2a } from '../command-line/own-name.js';
import { Refusal } from '../command-line/refusal.js';
import { checkReason } from '../privacy/person-options.js';
import { fundsText } from './show.js';

/** Parses `12.50 BGN`. */
const readAmount = (text: string): MinorAmount => {
  const [amount, currency, ...rest] = text.split(' ');
  const parsed = parseAmount(amount, currency);
  if ('reason' in parsed || rest.length > 0)
    throw new InvalidArgumentError('It must be an amount and its currency, such as "12.50 BGN".');
  return parsed;
};

/** The last four characters of an account number. */
const readLastFour = (text: string): string => {
  if (!/^[A-Za-z0-9]{4}$/.test(text)) throw new InvalidArgumentError('It must be four letters or digits.');
  return text;
};

const archivedText = (month: string): string =>
  `${month} is archived: payments of that month that had ended are in its files, and not searched. Run: ${xs2a('archive list')}`;

/** The lines below the payments: how many were searched and found, and what was not searched. */
export const coverage = (
  { payments, found, searched, candidates, archivedMonths, isOutdated, isCut }: FoundPayments,
  { tpp, amount }: { readonly tpp: string | undefined; readonly amount: MinorAmount | undefined },
): string[] => {
  const narrower = [
    ...(amount === undefined ? ['--amount'] : []),
    ...(tpp === undefined ? [] : ['--psu in place of --tpp']),
  ].join(' or ');
  const cut = `, the newest${narrower === '' ? '' : `; narrow the search with ${narrower}`}`;
  return [
    `searched ${whole(searched)} of ${whole(candidates)}${candidates > maxCandidates ? cut : ''}`,
    `found ${whole(found)}${payments.length < found ? `, showing the newest ${whole(payments.length)}; more with --limit` : ''}`,
    ...(isCut === true ? ['The search took too long and stopped: narrow it.'] : []),
    ...archivedMonths.map(archivedText),
    ...(isOutdated
      ? [`Payments from before an upgrade are not searched. Run: ${xs2a('projections rebuild payment_view')}`]
      : []),
  ];
};

export const find = defineCommand({
  name: 'find',
  help: 'payments of a TPP or a PSU on a day, also by the end of an account, the payee or the endToEndId',
  options: {
    tpp: option('<client-id>', 'payments that this TPP initiated'),
    psu: option('<psu-id>', 'payments that this PSU signed or, as the only signer, signed in for'),
    day: option('<date>', 'the day of the POST, in the bank’s time zone', isoDate).required(),
    amount: option('<amount>', 'such as "12.50 BGN"; of a bulk payment the sum', readAmount),
    lastFour: option(
      '<end>',
      'the last four characters of the debtor’s or a creditor’s account',
      readLastFour,
    ),
    payee: option('<text>', 'a part of the name of a creditor'),
    endToEndId: option('<id>', 'the endToEndIdentification of the payment, or of an entry of a bulk payment'),
    limit: option('<count>', 'at most this many payments', countUpTo(maxCandidates)).or(50),
    reason: option('<text>', 'the reason, for the record; do not name a person; required in encrypted data'),
    operator: option('<name>', 'operator, for the record (default: the operating system user)'),
  },
  run: async ({ connections, options: { tpp, psu, reason, operator = userInfo().username, ...search } }) => {
    if ((tpp === undefined) === (psu === undefined))
      throw new Refusal('Specify either --tpp CLIENT_ID or --psu PSU_ID.', 2);
    if (reason !== undefined) checkReason(reason, { psuIds: psu === undefined ? [] : [psu], ibans: [] });
    const asked: PaymentSearch = { tppId: tpp, psuId: psu, ...search, operator, reason };
    const { lastFour, payee, endToEndId } = search;
    if ([lastFour, payee, endToEndId].every((text) => text === undefined))
      return askPayments(connections, findPayments, asked);
    // The console records the search, and counts it like a revealed field.
    if (reason === undefined)
      throw new Refusal('A search in encrypted data needs a reason: --reason "…".', 2);
    const answer = await askConsole(connections, searchByCommand, { ...asked, actionId: newId(), reason });
    if ('refused' in answer) throw new Refusal(answer.refused);
    return answer.found;
  },
  text: (result, options) =>
    [
      ...(result.payments.length === 0
        ? []
        : [
            table(result.payments, {
              payment: ({ paymentId }) => paymentId,
              created: ({ createdAt }) => createdAt,
              status: ({ transactionStatus, fundsAvailable }) =>
                `${transactionStatus} ${fundsText(fundsAvailable)}`.trim(),
              amount: ({ amount }) => `${formatAmount(amount)} ${amount.currency}`,
              service: ({ service }) => service,
              product: ({ product }) => product,
            }),
          ]),
      ...coverage(result, options),
    ].join('\n'),
  json: ({ payments, ...result }) => ({
    payments: payments.map(({ amount, ...payment }) => ({
      ...payment,
      amount: formatAmount(amount),
      currency: amount.currency,
    })),
    ...result,
  }),
});

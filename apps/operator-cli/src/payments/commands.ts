import { InvalidArgumentError } from 'commander';
import {
  type PaymentProduct,
  parsePaymentProduct,
  paymentProducts,
} from '@xs2a/domain/payment/payment-products';
import { addDays, toBankDate } from '@xs2a/domain/time/bank-calendar';
import { defineCommand } from '../command-line/define-command.js';
import { isoDate } from '../command-line/option-values.js';
import { argument, option } from '../command-line/options.js';
import { Refusal } from '../command-line/refusal.js';
import { readTimeZone } from '../events/read-models.js';
import { basketText, findBasket } from './basket-show.js';
import { paymentText, showPayment } from './show.js';
import { paymentVolume, volumeText } from './volume.js';

const productNamed = (text: string): PaymentProduct => {
  const product = parsePaymentProduct(text);
  if (product === undefined) throw new InvalidArgumentError(`It is none of ${paymentProducts.join(', ')}.`);
  return product;
};

/** Days shown when nobody says since when. */
const daysBefore = 7;

export const volume = defineCommand({
  name: 'volume',
  help: 'number and value by day, product, currency and outcome, and their totals',
  options: {
    from: option('<day>', `the first day, the bank’s (default: ${daysBefore} days before the last)`, isoDate),
    to: option('<day>', 'the last day (default: the bank’s today)', isoDate),
    product: option('<product>', 'only this one, such as SEPA-Credit-Transfer', productNamed),
  },
  run: async ({ connections, options: { product, ...period } }) => {
    const now = async (): Promise<string> => new Date(await connections.nowMs()).toISOString();
    const to = period.to ?? toBankDate(await now(), readTimeZone(connections));
    const from = period.from ?? addDays(to, -daysBefore);
    if (from > to) throw new Refusal(`The first day, ${from}, is after the last, ${to}.`, 2);
    return paymentVolume(connections.reader('payments'), { from, to, product });
  },
  text: volumeText,
});

export const show = defineCommand({
  name: 'show',
  help: 'what it is now: a periodic order with its schedule and occurrences, a bulk with its entries, a basket with its items',
  options: { id: argument('of a payment, a periodic order, a bulk payment or a signing basket') },
  run: async ({ connections, options: { id } }) => {
    const found = (await showPayment(connections, id)) ?? (await findBasket(connections, id));
    if (found === undefined) throw new Refusal(`There is no payment or signing basket ${id}.`);
    return found;
  },
  text: (found) => ('basketId' in found ? basketText(found) : paymentText(found)),
});

import { Command, InvalidArgumentError } from 'commander';
import {
  type PaymentProduct,
  parsePaymentProduct,
  paymentProducts,
} from '@xs2a/domain/payment/payment-products';
import { addDays, toBankDate } from '@xs2a/domain/time/bank-calendar';
import { basketText, findBasket } from './basket-show.js';
import { CommandGroup } from '../command-line/command-group.js';
import { within } from '../command-line/command-run.js';
import type { Connections } from '../connections.js';
import { isoDate } from '../command-line/option-values.js';
import { paymentText, showPayment } from './show.js';
import { paymentVolume, volumeText } from './volume.js';
import { readTimeZone } from '../events/read-models.js';
import { Refusal } from '../command-line/refusal.js';

const productNamed = (text: string): PaymentProduct => {
  const product = parsePaymentProduct(text);
  if (product === undefined) throw new InvalidArgumentError(`It is none of ${paymentProducts.join(', ')}.`);
  return product;
};

const today = async (connections: Connections): Promise<string> =>
  toBankDate(new Date(await connections.nowMs()).toISOString(), readTimeZone(connections));

/** Days shown when nobody says since when. */
const daysBefore = 7;

const volumeCommand = (): Command =>
  new Command('volume')
    .description('number and value by day, product, currency and outcome, and their totals')
    .option(
      '--from <day>',
      `the first day, the bank’s (default: ${daysBefore} days before the last)`,
      isoDate,
    )
    .option('--to <day>', 'the last day (default: the bank’s today)', isoDate)
    .option('--product <product>', 'only this one, such as SEPA-Credit-Transfer', productNamed)
    .action(
      within<{ from?: string; to?: string; product?: PaymentProduct }, []>(
        async ({ connections, output, options }) => {
          const { product } = options;
          const to = options.to ?? (await today(connections));
          const from = options.from ?? addDays(to, -daysBefore);
          if (from > to) throw new Refusal(`The first day, ${from}, is after the last, ${to}.`, 2);
          const volume = await paymentVolume(connections.reader('payments'), { from, to, product });
          output.show(volume, volumeText(volume));
        },
      ),
    );

const showCommand = (): Command =>
  new Command('show')
    .argument('<id>', 'of a payment, a periodic order, a bulk payment or a signing basket')
    .description(
      'what it is now: a periodic order with its schedule and occurrences, a bulk with its entries, a basket with its items',
    )
    .action(
      within<object, [string]>(async ({ connections, output }, id) => {
        const payment = await showPayment(connections, id);
        const basket = payment === undefined ? await findBasket(connections, id) : undefined;
        if (payment !== undefined) output.show(payment, paymentText(payment));
        else if (basket !== undefined) output.show(basket, basketText(basket));
        else throw new Refusal(`There is no payment or signing basket ${id}.`);
      }),
    );

/** `xs2a payments`: what becomes of payments. */
export const paymentsCommand = (): Command =>
  new CommandGroup('payments')
    .description('what becomes of payments')
    .addCommand(volumeCommand())
    .addCommand(showCommand());

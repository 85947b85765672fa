import { defineCommand } from '../command-line/define-command.js';
import { argument } from '../command-line/options.js';
import { Refusal } from '../command-line/refusal.js';
import { basketText, findBasket } from './basket-show.js';
import { paymentText, showPayment } from './show.js';

export const showPaymentOrBasket = defineCommand({
  name: 'show',
  help: 'its current state: a periodic order with its schedule and occurrences, a bulk with its entries, a basket with its items',
  options: { id: argument('of a payment, a periodic order, a bulk payment or a signing basket') },
  run: async ({ connections, options: { id } }) => {
    const found = (await showPayment(connections, id)) ?? (await findBasket(connections, id));
    if (found === undefined) throw new Refusal(`There is no payment or signing basket ${id}.`);
    return found;
  },
  text: (found) => ('basketId' in found ? basketText(found) : paymentText(found)),
});

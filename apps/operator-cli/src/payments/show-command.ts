import { defineCommand } from '../command-line/define-command.js';
import { argument } from '../command-line/options.js';
import { Refusal } from '../command-line/refusal.js';
import { basketText, findBasket } from './basket-show.js';
import { paymentText, showPayment } from './show.js';

export const showPaymentOrBasket = defineCommand({
  name: 'show',
  help: 'the current state, including the schedule and occurrences of a periodic order, the entries of a bulk and the items of a basket',
  options: { id: argument('id of a payment, a periodic order, a bulk payment or a signing basket') },
  run: async ({ connections, options: { id } }) => {
    const found = (await showPayment(connections, id)) ?? (await findBasket(connections, id));
    if (found === undefined) throw new Refusal(`There is no payment or signing basket ${id}.`);
    return found;
  },
  text: (found) => ('basketId' in found ? basketText(found) : paymentText(found)),
});

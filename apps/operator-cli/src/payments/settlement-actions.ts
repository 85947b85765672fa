import { handedOver, type Outcome, triedNow } from '@xs2a/console/actions/settlement-outcomes';
import { handToSettlement } from '@xs2a/contracts/payments.contract';
import { trySettlementNow } from '@xs2a/contracts/settlement.contract';
import { recorded } from '../actions/recorded.js';
import { askPayments, askSettlement } from '../ask-service.js';
import { defineCommand } from '../command-line/define-command.js';
import { argument, resourceId } from '../command-line/options.js';
import { Refusal } from '../command-line/refusal.js';
import { recordOptions } from '../privacy/person-options.js';

const options = { payment: argument('id of the payment, order or bulk payment'), ...recordOptions };

/** Throws {@link Refusal} if nothing was done. */
const toResult = ({ isDone, sentence }: Outcome) => {
  if (!isDone) throw new Refusal(sentence);
  return { result: { outcome: sentence }, outcome: sentence };
};

export const tryNow = defineCommand({
  name: 'try-now',
  help: 'makes the next attempt of a failed settlement at once; nothing is booked twice',
  options,
  run: async ({ connections, options: { payment, reason, operator } }) => {
    const paymentId = resourceId(payment);
    const action = { act: 'try-settlement-now', target: paymentId, reason, operator } as const;
    return recorded(connections, action, async () =>
      toResult(triedNow(await askSettlement(connections, trySettlementNow, { paymentId }))),
    );
  },
  text: ({ outcome }) => `✓ ${outcome}`,
});

export const handOver = defineCommand({
  name: 'hand-over',
  help: 'hands a payment that settlement has lost to it again; nothing is booked twice',
  options,
  run: async ({ connections, options: { payment, reason, operator } }) => {
    const paymentId = resourceId(payment);
    const action = { act: 'hand-to-settlement', target: paymentId, reason, operator } as const;
    return recorded(connections, action, async () => {
      const answer = await askPayments(connections, handToSettlement, { paymentId });
      if (answer.isDue) await askSettlement(connections, trySettlementNow, { paymentId });
      return toResult(handedOver(answer));
    });
  },
  text: ({ outcome }) => `✓ ${outcome}`,
});

import { clearPayments } from '@xs2a/contracts/payments.contract';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { startCpu } from '../load/cpu-time.js';
import { type FigureRow, type Found, inWorld } from '../row.js';
import type { BenchWorld } from '../world/bench-world.js';
import { inTurn } from '../world/customers.js';
import { inParallel, numbers } from '../world/in-parallel.js';
import { atOnce, initiate, paymentBody } from '../world/payments.js';

const receivers = 10;
const hanging = 2;
const tppName = (index: number): string => `told-${index}`;

const measurePush = async (
  { calls, parts }: BenchWorld,
  ofTpps: readonly HttpReceiver[],
  payments: number,
): Promise<Found> => {
  // The TPPs take turns with payments, and the final status of each payment is pushed to its TPP's receiver.
  await inParallel(numbers(payments), atOnce, async (number) => {
    const which = number % receivers;
    const notification = { uri: `${ofTpps[which]?.url}/push`, content: ['LAST' as const] };
    const body = paymentBody(inTurn(number).iban, { number });
    return initiate(calls, body, { tppId: tppName(which), notification });
  });
  const cpu = startCpu(parts);
  const begun = performance.now();
  const cleared = Promise.all(
    ofTpps.map(async (_receiver, index) => calls.call(clearPayments, { tppId: tppName(index) })),
  );
  const each = payments / receivers;
  const received = Promise.all(ofTpps.slice(hanging).map(async (receiver) => receiver.received(each))).then(
    () => (performance.now() - begun) / 1000,
  );
  const [seconds] = await Promise.all([received, cleared]);
  const delivered = each * (receivers - hanging);
  const hung = ofTpps.slice(0, hanging).reduce((sum, { posts }) => sum + posts.length, 0);
  return {
    value: delivered / seconds,
    perSecond: delivered / seconds,
    cpu: cpu(delivered),
    cpuOf: 'a notification',
    notes: [
      `${delivered} notifications accepted by ${receivers - hanging} receivers in ${seconds.toFixed(2)} s, from the cancellation of their payments; ${hung} tries hung at the other ${hanging}`,
    ],
  };
};

export const pushRow: FigureRow = {
  name: 'push',
  title: 'notifications to ten receivers, two of which hang',
  targets: { sandbox: { atLeast: 1000, unit: '/s' } },
  measure: async (options) => {
    const { payments = 10_000, say } = options;
    const ofTpps = await Promise.all(Array.from({ length: receivers }, async () => HttpReceiver.start()));
    for (const receiver of ofTpps.slice(0, hanging)) receiver.behaviour = () => 'hang';
    try {
      say(`  ${payments} payments of ${receivers} TPPs are initiated, and cancelled at once`);
      return await inWorld(async (world) => measurePush(world, ofTpps, payments))(options);
    } finally {
      await Promise.all(ofTpps.map(async (receiver) => receiver.stop()));
    }
  },
};

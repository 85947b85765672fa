import { clearPayments, initiatePayment } from '@xs2a/contracts/payments.contract';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import type { ServiceCalls } from '@xs2a/sandbox/services/service-calls';
import { BenchWorld } from '../world/bench-world.js';
import { addCpu, cpuPerRequest, cpuSeconds } from '../load/cpu-time.js';
import { inParallel, withCalls } from '../world/direct-calls.js';
import { cpuNote, type FigureOptions, type FigureRow, type Found } from '../figure.js';
import { inTurn } from '../world/customers.js';
import { paymentBody, product } from '../world/signed-payments.js';

const receivers = 10;
const hanging = 2;
const atOnce = 64;
const tppName = (index: number): string => `told-${index}`;

/** Initiates payments for each TPP in turn; their final status is pushed to that TPP's receiver. */
const initiateAll = async (
  serviceCalls: ServiceCalls,
  urls: readonly string[],
  payments: number,
): Promise<void> => {
  const turns = Array.from({ length: payments }, (_none, index) => index);
  await inParallel(turns, atOnce, async (turn) => {
    const which = turn % urls.length;
    await serviceCalls.call(initiatePayment, {
      tppId: tppName(which),
      service: 'payments',
      product,
      body: paymentBody(inTurn(turn).iban, { number: turn }),
      idempotencyKey: { path: `POST /payments/${product}`, hash: '' },
      redirectUris: {},
      notification: { uri: `${urls[which]}/push`, content: ['LAST'] },
    });
  });
};

const measurePush = async (world: BenchWorld, tppReceivers: readonly HttpReceiver[], payments: number) =>
  withCalls(world.sandbox, async (serviceCalls): Promise<Found> => {
    const urls = tppReceivers.map(({ url }) => url);
    await initiateAll(serviceCalls, urls, payments);
    const before = cpuSeconds(world.parts);
    const begun = performance.now();
    const cleared = inParallel(urls, receivers, async (_url, index) =>
      serviceCalls.call(clearPayments, { tppId: tppName(index) }),
    );
    const each = payments / receivers;
    await Promise.all(tppReceivers.slice(hanging).map(async (receiver) => receiver.received(each)));
    const seconds = (performance.now() - begun) / 1000;
    await cleared;
    const delivered = each * (receivers - hanging);
    const hung = tppReceivers.slice(0, hanging).reduce((sum, { posts }) => sum + posts.length, 0);
    const perSecond = delivered / seconds;
    return {
      value: perSecond,
      perSecond,
      notes: [
        `${delivered} notifications taken by ${receivers - hanging} receivers in ${seconds.toFixed(2)} s, from the cancellation of their payments; ${hung} tries hung at the other ${hanging}`,
        cpuNote(
          cpuPerRequest(addCpu(new Map(), before, cpuSeconds(world.parts)), delivered),
          'a notification',
        ),
      ],
    };
  });

const push = async (options: FigureOptions): Promise<Found> => {
  const { payments = 10_000, say } = options;
  const world = await BenchWorld.start(options);
  const tppReceivers = await Promise.all(Array.from({ length: receivers }, async () => HttpReceiver.start()));
  for (const receiver of tppReceivers.slice(0, hanging)) receiver.behaviour = () => 'hang';
  try {
    say(`  ${payments} payments of ${receivers} TPPs are initiated, and cancelled at once`);
    return await measurePush(world, tppReceivers, payments);
  } finally {
    await world.stop();
    await Promise.all(tppReceivers.map(async (receiver) => receiver.stop()));
  }
};

export const pushRow: FigureRow = {
  name: 'push',
  title: 'notifications to ten receivers, two of which hang',
  targets: { sandbox: { atLeast: 500, unit: '/s' } },
  measure: push,
};

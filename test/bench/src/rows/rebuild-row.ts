import { LeaderLock } from '@xs2a/postgres/leader-lock';
import { createPool } from '@xs2a/postgres/pool';
import { root } from '@xs2a/sandbox/layout';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BenchWorld } from '../world/bench-world.js';
import { withCalls } from '../world/direct-calls.js';
import type { FigureOptions, FigureRow, Found } from '../figure.js';
import { wireRequest } from '../load/load-plan.js';
import { measure, type Measured } from '../load/measure.js';
import { copyPayment } from '../world/payment-copies.js';
import { settledPayment } from '../world/settled-payment.js';
import { withClient } from '../world/with-client.js';

const eventsOfPayment = 6;
const readsPerSecond = 200;
export const projections = ['payment_volume_daily'] as const;

/**
 * Inserts the events while nothing else appends. The settlement worker is down (the copies were settled once), the
 * relay waits for its lock (the copies go to no stream), and the live read models are marked as up to date.
 */
const fill = async (world: BenchWorld, options: FigureOptions, events: number) => {
  const { services, databaseUrl } = world.sandbox;
  const pool = createPool({ url: databaseUrl('xs2a_payments'), name: 'bench', max: 2 });
  const free = async (): Promise<void> => pool.end();
  const paymentId = await withClient(databaseUrl('postgres'), async (client) => {
    const settled = await withCalls(world.sandbox, async (serviceCalls) =>
      settledPayment(serviceCalls, client),
    );
    await services['settlement-worker'].stop();
    await services.payments.stop();
    await copyPayment(client, settled, {
      copies: Math.ceil(events / eventsOfPayment),
      onProgress: (done) => options.say(`  ${done * eventsOfPayment} events are in place`),
    });
    await client.query('UPDATE payments.projection SET pos = (SELECT max(pos) FROM payments.log) WHERE live');
    return settled;
  });
  const lock = await LeaderLock.acquire(pool, 'relay.payments', { stop: AbortSignal.timeout(10_000) });
  await services.payments.start();
  return {
    paymentId,
    release: async (): Promise<void> => {
      lock?.release();
      await free();
    },
  };
};

interface Rebuilt {
  readonly events: number;
  readonly seconds: number;
}

/** Rebuilds as an operator does: with the service's own command, as the owner of the schema. */
export const rebuild = async ({ sandbox }: BenchWorld, projection: string): Promise<Rebuilt> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'apps/payments/dist/rebuild-projection.js'), projection],
    {
      env: {
        ...process.env,
        SANDBOX: 'true',
        MIGRATION_DATABASE_URL: sandbox.databaseUrl('xs2a_owner'),
        PROFILE_FILE: join(root, 'deploy/profiles/sandbox.json'),
      },
      maxBuffer: 2 ** 26,
    },
  );
  const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as { rebuilt?: Rebuilt; error?: string };
  if (last.rebuilt === undefined) throw new Error(`${projection} was not rebuilt: ${last.error ?? stdout}`);
  return last.rebuilt;
};

/** GET status at a steady pace until the work is done. No request may fail. */
const whileReading = async <Result>(
  world: BenchWorld,
  paymentId: string,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly reads: readonly Measured[] }> => {
  const path = `/v1/payments/domestic-credit-transfer-BGN/${paymentId}/status`;
  const headers = { Authorization: `Bearer ${await world.tpp.applicationToken()}` };
  const reads: Measured[] = [];
  const done = new AbortController();
  const reading = (async (): Promise<void> => {
    while (!done.signal.aborted) {
      reads.push(
        await measure(
          {
            ...world.entrance,
            connections: 8,
            warmUpSeconds: 1,
            seconds: 2,
            requests: [wireRequest('GET', path, headers)],
            once: false,
            expect: 200,
            pace: readsPerSecond,
          },
          world.parts,
        ),
      );
    }
  })();
  try {
    const result = await work();
    done.abort();
    await reading;
    return { result, reads };
  } finally {
    done.abort();
    // An error here is ignored: it was thrown above, or the error of the work matters more.
    await reading.catch(() => undefined);
  }
};

const rebuildAll = async (options: FigureOptions): Promise<Found> => {
  const { events = 1_000_000 } = options;
  const world = await BenchWorld.start(options);
  try {
    const { paymentId, release } = await fill(world, options, events);
    const rebuilt: { readonly name: string; readonly one: Rebuilt }[] = [];
    const { reads } = await whileReading(world, paymentId, async () => {
      for (const name of projections) rebuilt.push({ name, one: await rebuild(world, name) });
    });
    await release();
    const rates = rebuilt.map(({ one }) => one.events / one.seconds);
    const slowest = Math.min(...rates);
    const unexpected = reads.reduce((sum, read) => sum + read.unexpected, 0);
    const p99 = Math.max(...reads.map((read) => read.p99));
    return {
      value: slowest,
      perSecond: slowest,
      notes: [
        ...rebuilt.map(({ name, one }) => `${name}: ${one.events} events in ${one.seconds.toFixed(1)} s`),
        `meanwhile GET status at ${readsPerSecond}/s: p99 ${p99.toFixed(0)} ms, ${unexpected} unexpected answers`,
      ],
      ...(unexpected > 0 ? { problem: `${unexpected} reads failed meanwhile` } : {}),
    };
  } finally {
    await world.stop();
  }
};

export const rebuildRow: FigureRow = {
  name: 'rebuild',
  title: 'rebuild of the slowest read model',
  targets: { sandbox: { atLeast: 50_000, unit: '/s' } },
  measure: rebuildAll,
};

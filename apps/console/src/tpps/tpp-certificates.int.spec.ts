import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { recordCallRows, type SeenCertificate } from '@xs2a/contracts/console.contract';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { CallDays } from '../calls/call-days.js';
import { callBatch, type ConsoleWorld, startConsoleWorld } from '../testing/console-world.js';
import { TppCertificates } from './tpp-certificates.js';

const dayMs = 24 * 60 * 60 * 1000;
const fromNow = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
}, 60_000);
afterAll(async () => world.stop());
let tppId: string;
beforeEach(() => {
  tppId = newId();
});

const report = async (...certificates: readonly SeenCertificate[]): Promise<void> => {
  await world.callClient.call(recordCallRows, { ...callBatch([]), certificates });
};
const seen = (days: number, seenAt: string, of = tppId): SeenCertificate => ({
  tppId: of,
  endsAt: fromNow(days),
  seenAt,
});
const known = async (clock = new Clock(true), of = tppId) =>
  (await new TppCertificates(world.source, clock).byTpp()).get(of);

describe('the certificates of TPPs', () => {
  it('are kept as of the latest call, in whichever order the gateways report', async () => {
    const [old, renewed, older] = [seen(3, fromNow(-0.2)), seen(90, fromNow(-0.1)), seen(2, fromNow(-0.3))];
    await report(old);
    expect(await known()).toMatchObject({
      tppId,
      endsAt: new Date(old.endsAt),
      seenAt: new Date(old.seenAt),
    });
    await report(renewed);
    await report(older);
    expect(await known()).toMatchObject({
      endsAt: new Date(renewed.endsAt),
      seenAt: new Date(renewed.seenAt),
    });
  });

  it('are kept as of the latest call if many gateways report the same TPPs at once, in any order', async () => {
    const tpps = Array.from({ length: 20 }, () => newId());
    const batches = Array.from({ length: 12 }, (_, at) => {
      const certificates = tpps.map((of) => seen(at, fromNow(-0.5 + at / 100), of));
      return at % 2 === 0 ? certificates : certificates.toReversed();
    });
    await Promise.all(batches.map(async (batch) => report(...batch)));
    const newest = batches.at(-1) ?? [];
    expect(newest).toHaveLength(tpps.length);
    for (const { tppId: of, endsAt, seenAt } of newest)
      expect(await known(undefined, of)).toMatchObject({
        endsAt: new Date(endsAt),
        seenAt: new Date(seenAt),
      });
  });

  it('are not changed by a batch that is sent again, or that an older gateway sends', async () => {
    const batch = { ...callBatch([]), certificates: [seen(9, fromNow(-0.1))] };
    await world.callClient.call(recordCallRows, batch);
    await world.callClient.call(recordCallRows, { ...batch, certificates: [seen(1, fromNow(0))] });
    await world.callClient.call(recordCallRows, callBatch([]));
    expect(await known()).toMatchObject({ endsAt: new Date(batch.certificates[0]?.endsAt ?? 0) });
  });

  it('count as seen now if the clock of the gateway is ahead', async () => {
    await report(seen(9, fromNow(5)));
    expect((await known())?.seenAt.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('end by the clock of the bank, which a sandbox moves', async () => {
    await report(seen(5, fromNow(-0.1)));
    const clock = new Clock(true);
    expect((await known(clock))?.leftMs).toBeGreaterThan(4.9 * dayMs);
    clock.raiseTo(6 * dayMs);
    expect((await known(clock))?.leftMs).toBeLessThan(0);
  });

  it('are listed, and kept, for 30 days after the latest call', async () => {
    const late = newId();
    await report(seen(5, fromNow(-30.01)), seen(5, fromNow(-29.99), late));
    expect(await known()).toBeUndefined();
    expect(await known(undefined, late)).toBeDefined();
    await world.instances[0]?.get(CallDays).keep();
    const { rows } = await world.pool.query('SELECT tpp_id FROM tpp_certificate WHERE tpp_id = ANY($1)', [
      [tppId, late],
    ]);
    expect(rows).toEqual([{ tpp_id: late }]);
  });
});

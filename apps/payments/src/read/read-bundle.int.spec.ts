import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BundleEvents, readBundleEvents } from '@xs2a/contracts/dispute-bundle.contract';
import { paymentAuthorisation } from '@xs2a/contracts/payments.contract';
import type { SignatureEvidence } from '@xs2a/domain/sca/signature-evidence';
import { firstBrokenVersion } from '@xs2a/event-store/streams/hash-chain';
import { listMissing, readableEvent } from '@xs2a/resources/dispute-bundle/bundle-file';
import { newId } from '@xs2a/runtime/ids';
import { openedBasket } from '../testing/basket-walks.js';
import {
  body,
  bulkPayment,
  catchFailure,
  type PaymentsWorld,
  startPaymentsWorld,
} from '../testing/payments-world.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());

const read = async (paymentId: string, after = 0): Promise<BundleEvents> =>
  world.ask(readBundleEvents, { paymentId, after });
type Part = Extract<BundleEvents, { outcome: 'read' }>;
const mustRead = async (paymentId: string, after = 0): Promise<Part> => {
  const part = await read(paymentId, after);
  if (part.outcome !== 'read') throw new Error(part.outcome);
  return part;
};
const readable = async (paymentId: string) => {
  const { key, events } = await mustRead(paymentId);
  return events.map((event) => readableEvent(event, paymentId, key));
};

describe('the events of a payment for a dispute bundle', () => {
  it('are complete, encrypted as stored, and readable with the key', async () => {
    const { paymentId } = await world.signed();
    const { events, hasMore } = await mustRead(paymentId);
    expect(events.map(({ type }) => type)).toEqual(await world.eventTypes(paymentId));
    expect(hasMore).toBe(false);
    const chain = events.map((event) => ({
      ...event,
      data: event.stored,
      streamId: paymentId,
      prevHash: Buffer.from(event.prevHash, 'hex'),
      hash: Buffer.from(event.hash, 'hex'),
    }));
    expect(firstBrokenVersion(chain)).toBeUndefined();
    expect(JSON.stringify(events)).not.toContain('Мария');
    expect(await readable(paymentId)).toMatchObject([
      { data: { order: { creditorName: 'Мария Георгиева' } } },
      { data: { psuId: 'ivan' } },
      { data: { psuId: 'ivan' } },
    ]);
  });

  it('arrive in parts that fit into messages, without a gap', async () => {
    const { authorisationId, ...payment } = await world.initiate({
      ...bulkPayment(Array.from({ length: 100 }, () => '1.00')),
    });
    const { paymentId } = payment;
    const long = {
      idempotencyKey: { path: 'x', hash: 'h' },
      redirectUris: { ok: `https://${'x'.repeat(500)}` },
    };
    for (let started = 0; started < 15; started += 1)
      await world.ask(paymentAuthorisation.start, { ...payment, ...long });
    await world.sql(
      `INSERT INTO payments.events
       SELECT (jsonb_populate_record(e, jsonb_build_object('event_id', gen_random_uuid(), 'version', version + n))).*
       FROM payments.events AS e, generate_series(1, 400) AS n WHERE stream_id = $1 AND version = 16`,
      [paymentId],
    );
    const versions: number[] = [];
    let parts = 0;
    for (let hasMore = true; hasMore; parts += 1) {
      const part = await mustRead(paymentId, versions.at(-1) ?? 0);
      versions.push(...part.events.map(({ version }) => version));
      ({ hasMore } = part);
    }
    expect(versions).toEqual(Array.from({ length: 416 }, (_, index) => index + 1));
    expect(parts).toBeGreaterThan(2);
    await world.sql('DELETE FROM payments.events WHERE stream_id = $1 AND version > 16', [paymentId]);
    expect(authorisationId).toBeDefined();
  });

  it('are those of payments only, and none once the key is erased', async () => {
    const { paymentId } = await world.signed();
    for (const id of [newId(), await openedBasket(world, [paymentId])])
      expect(await read(id)).toEqual({ outcome: 'unknown' });
    for (const id of ['', 'x', newId().toUpperCase(), "' OR true --"])
      expect(await catchFailure(read(id))).toBe('fieldMalformed');
    for (const after of [-1, 1.5, Number.NaN])
      expect(await catchFailure(read(paymentId, after))).toBe('fieldMalformed');
    await world.sql('DELETE FROM payments.stream_key WHERE stream_id = $1', [paymentId]);
    expect(await read(paymentId)).toEqual({ outcome: 'erased' });
  });

  it('say what they cannot prove: a signature of a release that kept no digest, and a payment without a signature', async () => {
    const evidence = { binding: 'b', language: 'bg', textsVersion: 't' };
    const signedWith = async (given: SignatureEvidence): Promise<string> => {
      const { paymentId, authorisationId } = await world.initiate();
      const ref = { paymentId, authorisationId, psuId: 'ivan' };
      await world.ask(paymentAuthorisation.identify, ref);
      await world.ask(paymentAuthorisation.sign, { ...ref, evidence: given });
      return paymentId;
    };
    const rows = [{ label: 'Получател', value: 'Canary Georgieva', shows: 'payee' }] as const;
    const kept = await signedWith({ ...evidence, rows });
    // The world signs as an older authorization server does.
    const older = await world.signed();
    const unsigned = await world.initiate({ body: body() });
    const missing = async (paymentId: string) =>
      listMissing((await readable(paymentId)).map((event) => ({ ...event, pos: 1 })));
    expect(await missing(kept)).toEqual([]);
    expect(JSON.stringify((await mustRead(kept)).events)).not.toMatch(/Canary|Получател/);
    expect(await readable(kept)).toMatchObject([{}, {}, { data: { evidence: { rows } } }]);
    expect(await missing(await signedWith(evidence))).toEqual([
      expect.stringMatching(/^Event 3 is a signature without the rows of the page: the release/),
    ]);
    expect(await missing(await signedWith({ ...evidence, items: ['i'] }))).toEqual([
      expect.stringMatching(
        /^Event 3 is a signature without the rows of the page: those of a signing basket/,
      ),
    ]);
    expect(await missing(older.paymentId)).toEqual([
      expect.stringMatching(/^Event 3 is a signature without the digest/),
    ]);
    expect(await missing(unsigned.paymentId)).toEqual(['No PSU has signed the payment.']);
  });
});

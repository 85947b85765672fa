import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cancelPayment, handToSettlement, readDuePayments } from '@xs2a/contracts/payments.contract';
import { newId } from '@xs2a/runtime/ids';
import { catchFailure, type PaymentsWorld, product, startPaymentsWorld } from '../testing/payments-world.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());

const handOver = async (paymentId: string) => world.ask(handToSettlement, { paymentId });
const view = async (id: string) =>
  (await world.sql('SELECT * FROM payments.payment_view WHERE stream_id = $1', [id]))[0];
const later = (seconds: number): void => {
  for (const { clock } of [world.payments, world.second]) clock.raiseTo(clock.offsetMs + seconds * 1000);
};
const isFound = async (id: string): Promise<boolean> =>
  (await world.ask(readDuePayments, { limit: 1000 })).payments.some(({ paymentId }) => paymentId === id);

describe('a payment that an operator hands to settlement again', () => {
  it('is found by settlement again if its row had lost the due time or the status, and has the same events', async () => {
    for (const damage of ['due_at = NULL', "due_at = '2999-01-01'", "status = 'RJCT', due_at = NULL"]) {
      const { paymentId } = await world.signed();
      const events = await world.eventTypes(paymentId);
      const right = await view(paymentId);
      await world.sql(`UPDATE payments.payment_view SET ${damage} WHERE stream_id = $1`, [paymentId]);
      later(120);
      expect(await isFound(paymentId)).toBe(false);
      expect(await handOver(paymentId)).toEqual({
        transactionStatus: 'ACCP',
        repaired: true,
        dueAt: expect.any(String),
        isDue: true,
        waits: false,
      });
      expect(await isFound(paymentId)).toBe(true);
      expect(await view(paymentId)).toEqual(right);
      expect(await world.eventTypes(paymentId)).toEqual(events);
      expect(await handOver(paymentId)).toMatchObject({ repaired: false, isDue: true });
    }
  });

  it('gets its row back if the row is missing, and no other row changes', async () => {
    const [lost, other] = [await world.signed(), await world.signed()];
    await world.sql('UPDATE payments.payment_view SET due_at = NULL WHERE stream_id = $1', [other.paymentId]);
    await world.sql('DELETE FROM payments.payment_view WHERE stream_id = $1', [lost.paymentId]);
    expect(await handOver(lost.paymentId)).toMatchObject({ repaired: true });
    expect(await view(lost.paymentId)).toMatchObject({ status: 'ACCP' });
    expect((await view(other.paymentId))?.['due_at']).toBeNull();
  });

  it('stays cancelled if it is cancelled at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { authorisationId: _, ...payment } = await world.signed();
      const { paymentId } = payment;
      await world.sql('UPDATE payments.payment_view SET due_at = NULL WHERE stream_id = $1', [paymentId]);
      await Promise.all([
        handOver(paymentId),
        world.ask(cancelPayment, { ...payment, product }),
        handOver(paymentId),
      ]);
      expect(await view(paymentId)).toMatchObject({ status: 'CANC', due_at: null });
      const { dueAt, ...answer } = await handOver(paymentId);
      expect([dueAt, answer]).toEqual([
        undefined,
        { transactionStatus: 'CANC', repaired: false, isDue: false, waits: false },
      ]);
    }
  });

  it('is not due before its time, nor before it is signed; an unknown one is refused', async () => {
    const unsigned = await world.initiate();
    expect(await handOver(unsigned.paymentId)).toEqual({
      transactionStatus: 'RCVD',
      repaired: false,
      isDue: false,
      waits: false,
    });
    const { paymentId } = await world.signed();
    expect(await handOver(paymentId)).toMatchObject({ repaired: false, isDue: false });
    expect(await catchFailure(handOver(newId()))).toBe('resourceUnknown');
    expect(await catchFailure(handOver('x'))).toBe('fieldMalformed');
  });
});

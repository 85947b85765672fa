import type { Failure } from '@xs2a/domain/failure/failures';
import { storeOptions } from '@xs2a/resources/store-options';
import { resources } from '@xs2a/resources/resources';
import { eventStoreTables } from '@xs2a/event-store/service-tables';
import { type FreshBank, freshBank } from '@xs2a/core-banking/testing/fresh-bank';
import { cancelPayment } from '@xs2a/domain/payment/decide-payment';
import { paymentEventTypes, paymentStateFields } from '@xs2a/domain/payment/payment-event-types';
import { evolvePayment, paymentStateVersion } from '@xs2a/domain/payment/evolve-payment';
import type { PeriodicSchedule } from '@xs2a/domain/order/periodic-schedule';
import type { PaymentEvent, PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { getFirstOrder, type PaymentState, type SinglePayment } from '@xs2a/domain/payment/payment-state';
import { nextDueAt } from '@xs2a/domain/payment/settlement/due';
import { type Signing, signedBulkEvents, signedOrderEvents, single } from '@xs2a/domain/testing/initiations';
import { signedInstantEvents } from '@xs2a/domain/testing/instant-payments';
import { answerWithinMs as fullTimeMs, instantProduct } from '@xs2a/domain/payment/instant/instant-payments';
import { bgnOrder, signedPaymentEvents } from '@xs2a/domain/testing/signed-payment';
import { endAgain } from '@xs2a/event-store/recovery/end-again';
import type { LostEvent } from '@xs2a/event-store/recovery/lost-events';
import { EventStore } from '@xs2a/event-store/streams/event-store';
import { Relay } from '@xs2a/event-store/publishing/relay';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { startPostgres } from '@xs2a/local-servers/postgres-server';
import { createLogger } from '@xs2a/observability/logger';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { createPool } from '@xs2a/postgres/pool';
import { sessionLockTable } from '@xs2a/postgres/session-lock';
import { readConfig } from '@xs2a/runtime/config';
import { newId } from '@xs2a/runtime/ids';
import { type InProcessService, startInProcess } from '@xs2a/runtime/testing/service-in-process';
import { testMasterKeys } from '@xs2a/runtime/testing/test-master-keys';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { ActiveWorker } from '../active-worker.js';
import { config } from '../config.js';
import { migrations, schema } from '../migrations/index.js';
import { SettlementModule } from '../settlement.module.js';
import { outside } from './outside.js';
import { OutsideModule } from './outside-instants.js';

const logger = createLogger('settlement-test', process.env['LOG_LEVEL'] ?? 'silent');
export const elsewhere = 'BG80BNBG96611020345678';

/** Ignores a failed call, since the test injects that fault; throws any other error. */
export const ignoreFailedCall = (error: unknown): void => {
  if (!(error instanceof CallFailed)) throw error;
};

interface Wish {
  readonly from: string;
  readonly minor: number;
  readonly to?: string;
}

const makeOrder = ({ from, minor, to = elsewhere }: Wish): PaymentOrder => bgnOrder(from, minor, to);

interface WorldParts {
  readonly worker: InProcessService;
  /** Handles the worker's calls. */
  readonly around: InProcessService;
  readonly bank: FreshBank;
  readonly relay: Relay;
  /** Starts another instance of the worker. */
  readonly another: () => Promise<InProcessService>;
  /** A pool with the permissions of the schemas' owner. */
  readonly owner: Pool;
  readonly stopServers: () => Promise<void>;
}

/** The settlement worker on real servers, between a real ledger and real payment streams. */
export class SettlementWorld {
  readonly worker: InProcessService;
  readonly bank: FreshBank;
  private readonly others: InProcessService[] = [];

  constructor(private readonly parts: WorldParts) {
    this.worker = parts.worker;
    this.bank = parts.bank;
  }

  async sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
    return (await this.parts.owner.query(text, values)).rows as Record<string, unknown>[];
  }

  /** Opens a new account with this many stotinki. */
  async account(minor: number): Promise<string> {
    const opening = (minor / 100).toFixed(2);
    const created = await this.bank.bank.tools.createPsu({ accounts: [{ currency: 'BGN', opening }] });
    const iban = 'failures' in created ? undefined : created.accounts[0]?.iban;
    if (iban === undefined) throw new Error('no account');
    return iban;
  }

  /** Creates a payment that is signed now and due in a minute. */
  async signed(wish: Wish): Promise<string> {
    return this.append(wish);
  }

  /**
   * Creates an instant payment that is signed now and has to be answered within this many milliseconds of real time
   * after its receipt: now, or at the start of the requested day.
   */
  async signedInstant(wish: Wish, answerWithinMs: number, requestedExecutionDate?: string): Promise<string> {
    const [paymentId, { clock }] = [newId(), this.worker];
    const events = signedInstantEvents(
      {
        paymentId,
        order: makeOrder(wish),
        now: clock.now(),
        clockOffsetMs: clock.offsetMs + fullTimeMs - answerWithinMs,
        requestedExecutionDate,
      },
      outside.profile,
    );
    await outside.payments.append({ streamId: paymentId, events, actor: 'tpp' });
    return paymentId;
  }

  /** Creates a bulk payment of instant payments that is signed now, with an entry for each wish. */
  async signedInstants(wishes: readonly Wish[]): Promise<string> {
    const orders = wishes.map(makeOrder);
    return this.appendSigned((signing) =>
      signedBulkEvents({ orders }, { ...signing, product: instantProduct }),
    );
  }

  /** Creates a periodic order that is signed now. */
  async signedOrder(wish: Wish, schedule: PeriodicSchedule): Promise<string> {
    return this.appendSigned((signing) => signedOrderEvents({ order: makeOrder(wish), schedule }, signing));
  }

  /** Creates a bulk payment that is signed now and due in a minute, with an entry for each wish. */
  async signedBulk(wishes: readonly Wish[], batchBookingPreferred = false): Promise<string> {
    const orders = wishes.map(makeOrder);
    return this.appendSigned((signing) => signedBulkEvents({ orders, batchBookingPreferred }, signing));
  }

  /** Creates a payment that waits for its signature. */
  async accepted(wish: Wish): Promise<string> {
    return this.append(wish, -1);
  }

  private async appendSigned(eventsOf: (signing: Signing) => readonly PaymentEvent[]): Promise<string> {
    const signing = { paymentId: newId(), now: this.worker.clock.now(), profile: outside.profile };
    await outside.payments.append({ streamId: signing.paymentId, events: eventsOf(signing), actor: 'tpp' });
    return signing.paymentId;
  }

  private async append(wish: Wish, end?: number): Promise<string> {
    const [paymentId, now] = [newId(), this.worker.clock.now()];
    const order = makeOrder(wish);
    const events = signedPaymentEvents({ paymentId, order, now }, outside.profile).slice(0, end);
    await outside.payments.append({ streamId: paymentId, events, actor: 'tpp' });
    return paymentId;
  }

  /** Signs a waiting payment now; it is due in a minute. */
  async sign(paymentId: string): Promise<void> {
    const { order } = await this.state(paymentId);
    const signature = { paymentId, order, now: this.worker.clock.now() };
    const events = signedPaymentEvents(signature, outside.profile).slice(-1);
    await outside.payments.many.change([paymentId], () => ({ events }), { actor: 'psu' });
  }

  /** Stops the relay, so that no further event reaches JetStream. */
  async stopPublishing(): Promise<void> {
    await this.parts.relay.stop();
  }

  async cancel(paymentId: string): Promise<'cancelled' | 'too late'> {
    const results = await outside.payments.many.change(
      [paymentId],
      (state) => cancelPayment(state, { tppId: 'tpp', now: this.worker.clock.now() }),
      { actor: 'tpp' },
    );
    const result = results.get(paymentId);
    return result !== undefined && 'state' in result ? 'cancelled' : 'too late';
  }

  async state(paymentId: string): Promise<SinglePayment> {
    return single(await this.anyState(paymentId));
  }

  /** Returns the state of a payment, order or bulk payment. */
  async anyState(paymentId: string): Promise<PaymentState> {
    const loaded = await outside.payments.load(paymentId);
    if (loaded === undefined) throw new Error('no such payment');
    return loaded.state;
  }

  async eventTypes(paymentId: string): Promise<string[]> {
    return (await outside.payments.history(paymentId)).map(({ type }) => type);
  }

  /** Returns the kinds of a payment's ledger transfers: the hold, then its post or void. */
  async transfers(paymentId: string): Promise<string[]> {
    const { rows } = await this.bank.pool.query<{ kind: string }>(
      "SELECT kind FROM transfer WHERE payment_id = $1 ORDER BY kind = 'hold' DESC, kind",
      [paymentId],
    );
    return rows.map(({ kind }) => kind);
  }

  moveClock(seconds: number): void {
    const offset = this.worker.clock.offsetMs + seconds * 1000;
    const others = [this.parts.around, this.bank, ...this.others];
    for (const { clock } of [...others, this.worker]) clock.raiseTo(offset);
  }

  /** Moves the clock, then waits until nothing is due. Throws the errors of {@link drain}. */
  async later(seconds: number): Promise<void> {
    this.moveClock(seconds);
    await this.drain();
  }

  /** Waits until all work that is currently due is done; the default limit suits a busy machine. */
  async drain(limitMs = 30_000): Promise<void> {
    await this.worker.get(ActiveWorker).drain(limitMs);
  }

  /** Makes postponed work due immediately, as if its time had come. */
  async retryNow(): Promise<void> {
    await this.sql('UPDATE settlement.unfinished SET retry_at = now() WHERE retry_at IS NOT NULL');
    await this.drain();
  }

  async another(): Promise<InProcessService> {
    const service = await this.parts.another();
    service.clock.raiseTo(this.worker.clock.offsetMs);
    this.others.push(service);
    return service;
  }

  async stop(): Promise<void> {
    const { relay, around, stopServers } = this.parts;
    await Promise.all([this.worker, ...this.others].map(async (service) => service.stop()));
    await relay.stop();
    await around.stop();
    await stopServers();
  }
}

const openPayments = async (url: string, owner: Pool, around: InProcessService) => {
  await owner.query(`${eventStoreTables('payments', 'xs2a_payments')} ${sessionLockTable('payments')}
    CREATE TABLE payments.payment_view (stream_id uuid PRIMARY KEY, version int NOT NULL, last_hash bytea NOT NULL,
      state json NOT NULL, due_at timestamptz, debtor text);
    GRANT SELECT, INSERT, UPDATE ON payments.payment_view TO xs2a_payments;`);
  const pool = createPool({ url, name: 'payments', logger });
  const store = new EventStore<PaymentEvent, PaymentState, Failure>({
    ...storeOptions(
      { pool, clock: around.clock, logger },
      { MASTER_KEYS: testMasterKeys },
      paymentStateFields,
    ),
    evolve: evolvePayment,
    stateVersion: paymentStateVersion,
    view: {
      table: 'payment_view',
      columns: { due_at: 'timestamptz', debtor: 'text' },
      row: (state) => ({ due_at: nextDueAt(state), debtor: getFirstOrder(state).debtorIban }),
    },
    eventTypes: paymentEventTypes,
  });
  return { pool, store };
};

const publishedPayments = (store: EventStore<PaymentEvent, PaymentState, Failure>) => ({
  resource: resources.payments,
  onAppended: (listener: () => void) => store.onAppended(listener),
  endAgain: async (lost: readonly LostEvent[], mayTake: Parameters<typeof endAgain>[2]) =>
    endAgain(store, lost, mayTake),
});

export const startSettlementWorld = async (): Promise<SettlementWorld> => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-settlement-'));
  const [bank, postgres, nats] = await Promise.all([
    freshBank(),
    startPostgres({ dataDir: join(folder, 'pg'), durable: false }),
    startNatsWithAssets({ dataDir: join(folder, 'nats') }),
  ]);
  await prepareDatabases(postgres.url());
  await runMigrations({ url: postgres.url('xs2a_owner'), schema, migrations });
  const owner = createPool({ url: postgres.url('xs2a_owner'), name: 'test', max: 2, logger });
  const around = await startInProcess({ name: 'outside', module: OutsideModule, natsUrl: nats.url });
  const { pool, store } = await openPayments(postgres.url('xs2a_payments'), owner, around);
  outside.profile = around.profile;
  outside.booking = bank.bank.booking;
  outside.instant = bank.bank.instant;
  outside.payments = store;
  outside.pool = pool;
  const relay = new Relay({ pool, store: publishedPayments(store), natsUrl: nats.url, logger });
  relay.start();
  const another = async (): Promise<InProcessService> =>
    startInProcess({
      name: 'settlement-worker',
      module: SettlementModule,
      natsUrl: nats.url,
      databaseUrl: postgres.url('xs2a_settlement'),
      settings: readConfig({ DEAD_LETTER_DAYS: config.DEAD_LETTER_DAYS }, {}),
    });
  const stopServers = async (): Promise<void> => {
    await Promise.all([pool.end(), owner.end()]);
    await Promise.all([nats.stop(), postgres.stop(), bank.close()]);
    rmSync(folder, { recursive: true, force: true });
  };
  return new SettlementWorld({ worker: await another(), around, bank, relay, another, owner, stopServers });
};

import { Controller, Module } from '@nestjs/common';
import type { RequestOf } from '@xs2a/contracts/call';
import {
  type DueNotification,
  readConsentNotifications,
  readPaymentNotifications,
  signNotifications,
} from '@xs2a/contracts/notifications.contract';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { startPostgres } from '@xs2a/local-servers/postgres-server';
import { Handles } from '@xs2a/calls/handles';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { createPool } from '@xs2a/postgres/pool';
import { readConfig } from '@xs2a/runtime/config';
import { newId } from '@xs2a/runtime/ids';
import { type InProcessService, startInProcess } from '@xs2a/runtime/testing/service-in-process';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { config } from '../config.js';
import { migrations, schema } from '../migrations/index.js';
import { ActiveDispatcher } from '../active-dispatcher.js';
import { OwnController } from '../own/own.controller.js';
import { QueueController } from '../queue/queue.controller.js';
import { NotificationSender } from '../send-notification.js';

/** The services that the dispatcher calls: one for payment changes and one for signing. */
const newOutside = () => ({
  log: [] as DueNotification[],
  unreadable: new Set<string>(),
  unanswered: new Set<string>(),
  cannotSign: false,
  maxSigned: 0,
});
const outside = newOutside();
/** The authorization server does not sign a body with this status. */
export const unsignable = 'UNSIGNABLE';

@Controller()
class OutsideController {
  @Handles(readPaymentNotifications)
  payments({ after, only }: RequestOf<typeof readPaymentNotifications>) {
    const { log, unreadable, unanswered } = outside;
    if (only !== undefined && unanswered.has(only.resourceId)) throw new Error('no answer');
    const page = log
      .filter(({ pos, resourceId }) => pos > after && (only === undefined || resourceId === only.resourceId))
      .slice(0, 200);
    const leftOut = page.filter(({ resourceId }) => unreadable.has(resourceId));
    const unread = [...Map.groupBy(leftOut, ({ resourceId }) => resourceId)].map(([resourceId, own]) => ({
      resourceId,
      pos: own[0]?.pos ?? 0,
    }));
    const notifications = page.filter(({ resourceId }) => !unreadable.has(resourceId));
    return { notifications, next: only?.upTo ?? page.at(-1)?.pos ?? after, unread };
  }

  @Handles(readConsentNotifications)
  consents({ after }: { readonly after: number }) {
    return { notifications: [], next: after, unread: [] };
  }

  @Handles(signNotifications)
  sign({ bodies }: { readonly bodies: readonly string[] }) {
    if (outside.cannotSign) throw new Error('no key');
    outside.maxSigned = Math.max(outside.maxSigned, bodies.length);
    const signatures = bodies.map((body) => (body.includes(unsignable) ? null : makeSignature(body)));
    return { signatures, signedAt };
  }
}

@Module({ controllers: [OutsideController] })
class OutsideModule {}

/** A receiver that hangs outlasts any test, however slow the machine is. */
const answerWithinMs = 300_000;
@Module({
  controllers: [QueueController, OwnController],
  providers: [
    ActiveDispatcher,
    {
      provide: NotificationSender,
      useFactory: () => new NotificationSender({ rules: { anywhere: true, ports: [443] }, answerWithinMs }),
    },
  ],
})
class PatientNotificationsModule {}

/** The time at which the fake authorization server signs. */
export const signedAt = '2031-05-06T07:08:09.010Z';

/** The signature created by the fake authorization server. */
export const makeSignature = (body: string): string => `header..${hash('sha256', body, 'base64url')}`;

interface Change {
  readonly paymentId?: string;
  readonly tppId?: string;
  readonly uri: string;
  readonly status: string;
}

export interface NotificationsWorld {
  readonly dispatcher: InProcessService;
  /** Starts another instance. */
  another(): Promise<InProcessService>;
  /** Records a payment change; returns the resulting notification. */
  publish(change: Change): DueNotification;
  /** Sets whether the events of a payment are unreadable. */
  cannotRead(paymentId: string, cannot: boolean): void;
  /** Sets whether every request for this payment fails. */
  doesNotAnswerOf(paymentId: string, doesNot: boolean): void;
  /** Sets whether signing is unavailable. */
  cannotSign(cannot: boolean): void;
  /** The largest number of bodies that the dispatcher has had signed in one request. */
  maxSigned(): number;
  /** Runs SQL with the permissions of the schema's owner. */
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Returns the degraded states that the instances report. */
  degraded(): Promise<string>;
  /** Terminates the database session of the sending instance, as if its host had vanished. */
  endActiveSession(): Promise<void>;
  /** Makes every instance check immediately for due work; any of them may be the active one. */
  lookNow(): void;
  /** Makes waiting notifications due, as if the time for their next attempt had come. */
  retryNow(): Promise<void>;
  /** Returns the states and failure counts of a payment's notifications, in order. */
  states(paymentId: string): Promise<string[]>;
  stop(): Promise<void>;
}

const publish = ({ paymentId = newId(), tppId = 'tpp', uri, status }: Change): DueNotification => {
  const notification: DueNotification = {
    pos: outside.log.length + 1,
    part: 0,
    notificationId: newId(),
    resourceId: paymentId,
    tppId,
    uri,
    body: { paymentId, transactionStatus: status, timestamp: '2026-11-23T10:00:00.000Z', _links: {} },
  };
  outside.log.push(notification);
  return notification;
};

const put = (all: Set<string>, one: string, isIn: boolean): void => {
  if (isIn) all.add(one);
  else all.delete(one);
};

const { NOTIFICATIONS_DELIVERED_DAYS, NOTIFICATIONS_DEAD_DAYS } = config;
const kept = readConfig({ NOTIFICATIONS_DELIVERED_DAYS, NOTIFICATIONS_DEAD_DAYS }, {});

/** Runs the dispatcher on real servers, in a sandbox or outside. */
export const startNotificationsWorld = async ({ SANDBOX = true } = {}): Promise<NotificationsWorld> => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-notifications-'));
  const [postgres, nats] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'pg'), durable: false }),
    startNatsWithAssets({ dataDir: join(folder, 'nats') }),
  ]);
  await prepareDatabases(postgres.url());
  await runMigrations({ url: postgres.url('xs2a_owner'), schema, migrations });
  Object.assign(outside, newOutside());
  const around = await startInProcess({ name: 'outside', module: OutsideModule, natsUrl: nats.url });
  const started: InProcessService[] = [];
  const another = async (): Promise<InProcessService> => {
    const service = await startInProcess({
      name: 'notifications',
      module: PatientNotificationsModule,
      natsUrl: nats.url,
      databaseUrl: postgres.url('xs2a_notifications'),
      settings: { ...kept, SANDBOX },
    });
    started.push(service);
    return service;
  };
  const dispatcher = await another();
  const owner = createPool({ url: postgres.url('xs2a_owner'), name: 'test', max: 2 });
  const sql: NotificationsWorld['sql'] = async (text, values) =>
    (await owner.query(text, values)).rows as Record<string, unknown>[];
  const superuser = createPool({ url: postgres.url(), name: 'test', max: 1 });
  return {
    dispatcher,
    another,
    publish,
    cannotRead: (paymentId, cannot) => put(outside.unreadable, paymentId, cannot),
    doesNotAnswerOf: (paymentId, doesNot) => put(outside.unanswered, paymentId, doesNot),
    cannotSign: (cannot) => {
      outside.cannotSign = cannot;
    },
    maxSigned: () => outside.maxSigned,
    sql,
    degraded: async () =>
      (await Promise.all(started.map(async ({ health }) => health.ready())))
        .flatMap(({ degraded }) => degraded)
        .join(),
    lookNow: () => {
      for (const { clock } of started) clock.raiseTo(clock.offsetMs + 1);
    },
    endActiveSession: async () => {
      await superuser.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'notifications active%'`,
      );
    },
    retryNow: async () => {
      await sql('UPDATE notifications.notification SET next_try_at = now() WHERE next_try_at IS NOT NULL');
    },
    states: async (paymentId) => {
      const rows = await sql(
        'SELECT state, failures FROM notifications.notification WHERE resource_id = $1 ORDER BY pos, part',
        [paymentId],
      );
      return rows.map(({ state, failures }) => `${String(state)} ${String(failures)}`);
    },
    stop: async () => {
      await Promise.all([...started, around].map(async (one) => one.stop()));
      await Promise.all([owner.end(), superuser.end()]);
      await nats.stop();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

import { type EventConsumer, eventConsumers } from '@xs2a/contracts/event-consumers';
import { inboxFailureBucket, inboxStream } from '@xs2a/contracts/portal/inbox';
import type { ServiceName } from '@xs2a/contracts/services';

/**
 * The NATS permissions of a service. Each new call, bucket or consumer needs a line in {@link natsRights}. The
 * permissions of nats-server are derived from it (permissions.ts), both in the sandbox and in
 * deploy/nats/nats-server.conf (docs/adr/0019).
 *
 * There are two isolated NATS accounts: CALLS, without JetStream, for calls between services, and STREAMS, for
 * event streams and key-value buckets. A service has a user in each, with the same password: `payments` and
 * `payments-streams`.
 */
export interface NatsRights {
  /** The service handles `svc.<handles>.>`. */
  readonly handles?: string;
  /** Subjects of the calls that the service makes. */
  readonly calls: readonly string[];
  /** Key-value buckets that the service follows. Every service also follows the sandbox clock and the profile. */
  readonly reads?: readonly string[];
  /** Key-value buckets that the service writes. */
  readonly writes?: readonly string[];
  /** The resource whose events the service publishes, and the stream that they go to. */
  readonly publishes?: { readonly resource: string; readonly stream: string };
  /** A stream whose messages the service publishes, and reads back by subject. */
  readonly keeps?: { readonly subjects: string; readonly stream: string };
  /** True if the service receives the pulses of all processes. */
  readonly hearsPulses?: boolean;
  /** The durable consumer that the service reads. */
  readonly consumes?: EventConsumer;
}

export const natsRights = {
  gateway: {
    calls: [
      'svc.payments.check-before-body',
      'svc.payments.initiate',
      'svc.payments.read',
      'svc.payments.read-status',
      'svc.payments.authorisations.*',
      'svc.payments.basket-authorisations.*',
      'svc.payments.cancel',
      'svc.payments.baskets.*',
      'svc.payments.clear',
      'svc.payments.expire-due',
      'svc.payments.sandbox.*',
      'svc.consents.check-before-body',
      'svc.consents.create',
      'svc.consents.list',
      'svc.consents.read',
      'svc.consents.read-status',
      'svc.consents.authorisations.*',
      'svc.consents.terminate',
      'svc.consents.access.*',
      'svc.consents.expire-due',
      'svc.consents.sandbox.*',
      'svc.consents.record-calls',
      'svc.accounts.list',
      'svc.accounts.read',
      'svc.accounts.read-balances',
      'svc.accounts.transactions',
      'svc.accounts.transaction',
      'svc.accounts.sandbox.*',
      'svc.accounts.payees.answer',
      'svc.auth.sandbox.*',
      'svc.auth.introspect-token',
      'svc.auth.present',
      'svc.funds-confirmation.confirm',
      'svc.settlement.drain',
      'svc.console.record-calls',
      'svc.console.sandbox.*',
      'svc.notifications.sandbox.*',
    ],
    reads: ['TPPS', 'REVOCATIONS', 'PLANNED_FAULTS'],
    writes: ['DPOP_PROOFS', 'PLANNED_FAULTS'],
  },
  auth: {
    handles: 'auth',
    calls: [
      'svc.accounts.authenticate-psu',
      'svc.accounts.named',
      'svc.consents.authorisation.*',
      'svc.consents.list-of-psu',
      'svc.consents.revoke',
      'svc.payments.authorisation.*',
      'svc.payments.basket-authorisation.*',
      'svc.payments.list-signed',
      'svc.payments.stop',
      'svc.bank.deliver-otp',
      'svc.bank.tell-psu',
    ],
    writes: ['TPPS', 'REVOCATIONS'],
  },
  payments: {
    handles: 'payments',
    calls: [
      'svc.accounts.facts',
      'svc.accounts.corporate',
      'svc.accounts.payees.verify',
      'svc.consents.baskets.*',
    ],
    publishes: { resource: 'payments', stream: 'PAYMENTS' },
  },
  consents: {
    handles: 'consents',
    calls: ['svc.accounts.of-psu', 'svc.accounts.corporate', 'svc.accounts.facts'],
    publishes: { resource: 'consents', stream: 'CONSENTS' },
  },
  accounts: {
    handles: 'accounts',
    calls: [
      'svc.consents.access.*',
      'svc.bank.accounts.*',
      'svc.bank.funds.covers',
      'svc.bank.holds.*',
      'svc.bank.instant.*',
      'svc.bank.psus.*',
      'svc.bank.payees.verify',
    ],
    writes: ['CLOCK'],
  },
  'funds-confirmation': {
    handles: 'funds-confirmation',
    calls: ['svc.accounts.check-funds'],
  },
  'settlement-worker': {
    handles: 'settlement',
    calls: ['svc.accounts.holds.*', 'svc.accounts.instant.*', 'svc.payments.settlement.*'],
    consumes: eventConsumers.settlement,
  },
  notifications: {
    handles: 'notifications',
    calls: [
      'svc.payments.notifications.read',
      'svc.consents.notifications.read',
      'svc.auth.sign-notifications',
    ],
  },
  console: {
    handles: 'console',
    calls: [
      'svc.payments.console.*',
      'svc.payments.operator.find',
      'svc.payments.operator.hand-to-settlement',
      'svc.consents.console.*',
      'svc.consents.operator.end',
      'svc.settlement.console.*',
      'svc.settlement.operator.close-late-instant',
      'svc.settlement.operator.try-now',
      'svc.notifications.console.*',
      'svc.accounts.console.database',
      'svc.accounts.operator.ask-core-bank',
      'svc.auth.console.database',
      'svc.auth.console.keys',
      'svc.auth.operator.read-psu-sca',
      'svc.auth.operator.lift-sca-lock',
      'svc.auth.operator.list-tpps',
      'svc.auth.operator.count-grants',
      'svc.auth.operator.change-tpp-status',
      'svc.auth.operator.rotate-secret',
      'svc.auth.console.sign-bundle',
    ],
    hearsPulses: true,
  },
  portal: {
    calls: [],
    hearsPulses: true,
    writes: [inboxFailureBucket],
    keeps: { subjects: inboxStream.subjects, stream: inboxStream.name },
  },
} as const satisfies Readonly<Record<ServiceName, NatsRights>>;

/**
 * The bank's operator. In CALLS it registers TPPs, lifts SCA locks, ends consents, hands payments to settlement, closes late confirmations, asks the
 * core bank a question or for currencies of accounts, finds payments, lists the names of signing keys and master keys, and asks the console to record what
 * it did and to reveal data; in STREAMS it has all permissions, to watch events and to manage JetStream. It may neither receive nor make calls between services, because
 * those contain passwords and codes.
 */
export const operatorUser = 'operator';
export const operatorCalls = [
  'svc.auth.operator.*',
  'svc.auth.console.keys',
  'svc.accounts.operator.*',
  'svc.payments.operator.find',
  'svc.payments.operator.hand-to-settlement',
  'svc.payments.console.keys',
  'svc.settlement.operator.close-late-instant',
  'svc.settlement.operator.try-now',
  'svc.consents.console.list',
  'svc.consents.console.keys',
  'svc.consents.operator.end',
  'svc.console.operator.*',
];
/**
 * The migration job, only in STREAMS. It creates streams, their durable consumers and buckets, but does not read
 * or write data in them.
 */
export const migrationUser = 'migration';
/** An external core bank (`CORE_BANK=nats`), only in CALLS. It handles calls, and forwards other banks' questions. */
export const bankUser = 'bank';
export const bankCalls = ['svc.accounts.payees.answer'];
/**
 * The operator's user in nats-server's account $SYS. It queries the servers' JetStream usage and cannot see
 * messages.
 */
export const systemUser = 'system';
/** The only query that the user `system` may make; each server of a cluster replies. */
export const storageQuestion = '$SYS.REQ.SERVER.PING.JSZ';

export type NatsService = keyof typeof natsRights;
/** The users that have their own password. */
export type NatsUser = NatsService | typeof bankUser | typeof migrationUser | typeof operatorUser;
const services = Object.keys(natsRights) as NatsService[];
export const natsUsers: readonly NatsUser[] = [...services, bankUser, migrationUser, operatorUser];
export const callUsers = [...services, bankUser, operatorUser] as const;
export const streamUsers = [...services, migrationUser, operatorUser] as const;
export type CallUser = (typeof callUsers)[number];
export type StreamUser = (typeof streamUsers)[number];

/** Returns the name of a user in the account STREAMS. */
export const toStreamName = (user: StreamUser): string => `${user}-streams`;

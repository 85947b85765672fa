import { type EventConsumer, eventConsumers } from '@xs2a/contracts/event-consumers';

/**
 * What a service may do over NATS. A new call, bucket or consumer gets its line in {@link natsRights}; the permissions of nats-server
 * follow from it (permissions.ts), in the sandbox as in deploy/nats/nats-server.conf (docs/adr/0019).
 *
 * There are two NATS accounts, and nothing crosses between them: CALLS, where services call each other and there is no JetStream,
 * and STREAMS, with the event streams and key-value buckets. A service has a user in each, with one password: `payments` and
 * `payments-streams`.
 */
export interface NatsRights {
  /** `svc.<handles>.>` is answered by this service. */
  readonly handles?: string;
  /** Subjects of the calls it makes. */
  readonly calls: readonly string[];
  /** Key-value buckets it follows. All follow the sandbox clock. */
  readonly reads?: readonly string[];
  /** Key-value buckets it writes. */
  readonly writes?: readonly string[];
  /** The resource whose events it publishes, and the stream they are kept in. */
  readonly publishes?: { readonly resource: string; readonly stream: string };
  /** The durable consumer that it reads. */
  readonly consumes?: EventConsumer;
}

export const natsRights = {
  gateway: {
    calls: [
      'svc.payments.initiate',
      'svc.payments.read',
      'svc.payments.read-status',
      'svc.payments.read-authorisations',
      'svc.payments.start-authorisation',
      'svc.payments.cancel',
      'svc.payments.baskets.*',
      'svc.payments.clear',
      'svc.payments.expire-due',
      'svc.consents.create',
      'svc.consents.list',
      'svc.consents.read',
      'svc.consents.read-status',
      'svc.consents.read-authorisations',
      'svc.consents.start-authorisation',
      'svc.consents.terminate',
      'svc.consents.access.*',
      'svc.consents.expire-due',
      'svc.consents.record-calls',
      'svc.accounts.list',
      'svc.accounts.read',
      'svc.accounts.read-balances',
      'svc.accounts.transactions',
      'svc.accounts.transaction',
      'svc.accounts.sandbox.*',
      'svc.auth.sandbox.*',
      'svc.auth.introspect-token',
      'svc.auth.present',
      'svc.funds-confirmation.confirm',
      'svc.settlement.drain',
    ],
    reads: ['TPPS', 'REVOCATIONS'],
    writes: ['DPOP_PROOFS'],
  },
  auth: {
    handles: 'auth',
    calls: [
      'svc.accounts.authenticate-psu',
      'svc.consents.authorisation.*',
      'svc.consents.list-of-psu',
      'svc.consents.revoke',
      'svc.payments.authorisation.*',
      'svc.payments.basket-authorisation.*',
      'svc.payments.list-signed',
      'svc.bank.deliver-otp',
    ],
    writes: ['TPPS', 'REVOCATIONS'],
  },
  payments: {
    handles: 'payments',
    calls: ['svc.accounts.facts', 'svc.accounts.corporate', 'svc.consents.baskets.*'],
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
      'svc.bank.psus.*',
    ],
    writes: ['CLOCK'],
  },
  'funds-confirmation': {
    handles: 'funds-confirmation',
    calls: ['svc.accounts.check-funds'],
  },
  'settlement-worker': {
    handles: 'settlement',
    calls: ['svc.accounts.holds.*', 'svc.payments.settlement.*'],
    consumes: eventConsumers.settlement,
  },
  notifications: {
    calls: [
      'svc.payments.notifications.read',
      'svc.consents.notifications.read',
      'svc.auth.sign-notifications',
    ],
  },
} as const satisfies Readonly<Record<string, NatsRights>>;

/**
 * The bank's operator: registers TPPs in CALLS, and may do everything in STREAMS, which is to watch events and to manage
 * JetStream. May not hear or make the calls of services, which carry passwords and codes.
 */
export const operatorUser = 'operator';
export const operatorCalls = ['svc.auth.operator.*'];
/** The migration job: makes streams, their durable consumers and buckets, reads and writes nothing in them. In STREAMS alone. */
export const migrationUser = 'migration';
/** A core bank outside our services (`CORE_BANK=nats`): answers what it is asked, and does nothing else. In CALLS alone. */
export const bankUser = 'bank';
/** The operator's name in nats-server's own account $SYS: asks the servers how full JetStream is, and sees no message. */
export const systemUser = 'system';
/** The one question that it may ask; each server of a cluster answers. */
export const storageQuestion = '$SYS.REQ.SERVER.PING.JSZ';

export type NatsService = keyof typeof natsRights;
/** The names that have a password of their own. */
export type NatsUser = NatsService | typeof bankUser | typeof migrationUser | typeof operatorUser;
const services = Object.keys(natsRights) as NatsService[];
export const natsUsers: readonly NatsUser[] = [...services, bankUser, migrationUser, operatorUser];
export const callUsers = [...services, bankUser, operatorUser] as const;
export const streamUsers = [...services, migrationUser, operatorUser] as const;
export type CallUser = (typeof callUsers)[number];
export type StreamUser = (typeof streamUsers)[number];

/** The name of a user in the account STREAMS. */
export const toStreamName = (user: StreamUser): string => `${user}-streams`;

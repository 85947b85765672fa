import type { Clock } from '@xs2a/runtime/clock';
import { randomToken } from '@xs2a/runtime/ids';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { Grant } from '../bank/bank.js';
import type { PendingLogin } from '../bank/bank-login.js';
import type { BulkEntry, BulkFile } from '../bulk/bulk-file.js';
import type { Language, Notice } from '../catalogue/catalogue.js';
import type { EnteredOrder } from '../orders/entered-order.js';

/** An account as the person may see it here. */
export interface KnownAccount {
  readonly iban: string;
  readonly currency: string;
}
/** A payment, standing order, bulk or basket that the person initiated here. */
export interface KnownInitiation {
  /** The bank's id of it. */
  readonly resourceId: string;
  /** The link through which the person returned from the bank; absent: not yet returned. */
  returned?: 'ok' | 'nok';
}
export interface KnownPayment extends KnownInitiation {
  /** The bank's path of payments of its product. */
  readonly bankPath: string;
  readonly amount: string;
  readonly currency: string;
  readonly creditorName: string;
}
export interface KnownOrder extends KnownInitiation {
  readonly entered: EnteredOrder;
}
export interface KnownBulk extends KnownInitiation {
  readonly entries: readonly BulkEntry[];
}
/** A payment or a bulk of this session, as a basket shows it. */
export interface BasketItem {
  /** Our own id. */
  readonly id: string;
  /** The bank's id. */
  readonly resourceId: string;
  /** The path of its own page here. */
  readonly ownPath: string;
  /** The bank's path of its status. */
  readonly statusPath: string;
  /** The payee of a payment, or the number of payments of a bulk. */
  readonly pays: { readonly payee: string } | { readonly payments: number };
  readonly amount: string;
  readonly currency: string;
}
/** A signing basket: payments and bulks that are signed at once. */
export interface KnownBasket extends KnownInitiation {
  readonly items: readonly BasketItem[];
  /** The address at the bank where the person signs the basket. */
  readonly scaRedirect: string;
  /** The person has dissolved it: its items are free again. */
  isDissolved?: boolean;
}
/** A file that was read and not sent yet. */
export interface UploadedBulk {
  readonly name: string;
  readonly file: BulkFile;
}
export const initiatedKinds = ['payments', 'orders', 'bulks', 'baskets'] as const;

/** The state that this app keeps for a browser; tokens never leave the server. */
export interface Session {
  readonly csrf: string;
  language?: Language;
  notice?: Notice;
  /** A redirect to the bank that has started. */
  pending?: PendingLogin;
  connection?: { readonly consentId: string; readonly psuId: string; readonly grant: Grant };
  accounts: readonly KnownAccount[];
  funds?: Grant;
  readonly payments: Map<string, KnownPayment>;
  readonly orders: Map<string, KnownOrder>;
  readonly bulks: Map<string, KnownBulk>;
  readonly baskets: Map<string, KnownBasket>;
  bulkFile?: UploadedBulk;
  /** The choice for a basket that does not exist yet: ids of payments and bulks of this session. */
  basketChoice?: readonly string[];
}

const idleMs = 30 * 60_000;
/** Max sessions in memory; one more replaces the least recently used. */
const maxSessions = 1000;

/** The sessions of this process: a demo loses them when it ends. */
export class Sessions {
  private readonly kept: LRUCache<string, Session>;

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.kept = new LRUCache({
      max: maxSessions,
      ttl: idleMs,
      updateAgeOnGet: true,
      // Reads the time on each access.
      ttlResolution: 0,
      perf: { now: () => clock.nowMs() },
    });
  }

  /** The live session of a cookie; an access keeps it alive. */
  find(id: string | undefined): Session | undefined {
    return id === undefined ? undefined : this.kept.get(hashKey(id));
  }

  begin(language: Language | undefined): { readonly id: string; readonly session: Session } {
    const session: Session = {
      csrf: randomToken(24),
      language,
      accounts: [],
      payments: new Map(),
      orders: new Map(),
      bulks: new Map(),
      baskets: new Map(),
    };
    return { id: this.add(session), session };
  }

  /** A new id for the same session, so that an id planted before the return from the bank is useless (session fixation). */
  renew(id: string, session: Session): string {
    this.kept.delete(hashKey(id));
    return this.add(session);
  }

  private add(session: Session): string {
    const id = randomToken();
    this.kept.set(hashKey(id), session);
    return id;
  }
}

const hashKey = (id: string): string => createHash('sha256').update(id).digest('base64url');

import type { PendingAuthorisation } from '@xs2a/client/authorisation';
import type { Session as Access } from '@xs2a/client/session';
import type { Clock } from '@xs2a/runtime/clock';
import { randomToken } from '@xs2a/runtime/ids';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { BulkEntry, BulkFile } from '../bulk-file/bulk-file.js';
import type { TestPerson } from '../people/people.js';
import type { CartLine } from '../shop/goods.js';
import { Wire } from '../wire/wire.js';

/** A message that is shown once, above the next page. */
export interface Notice {
  readonly text: string;
  readonly isGood?: boolean;
}
/** An account as this app shows it to the user. */
interface KnownAccount {
  readonly iban: string;
  readonly currency: string;
}
/** The link at the bank where one of several signers signs. */
export interface SignerLink {
  readonly psuId: string;
  readonly scaRedirect: string;
}
/** The common fields of everything that the user initiated here. */
export interface Initiated {
  /** The app's internal id, used in its addresses so that they do not reveal the bank's id. */
  readonly id: string;
  /** The bank's id. */
  readonly resourceId: string;
  /** The path of its page in this app. */
  readonly ownPath: string;
  /** Its path at the bank. */
  readonly bankPath: string;
  /** The link at the bank where the user signs. */
  readonly scaRedirect: string;
  /** The links of all signers, if the account has several. */
  readonly signers?: readonly SignerLink[];
  /** The link through which the user returned from the bank. Absent if the user has not returned. */
  returned?: 'ok' | 'nok';
}
interface Payment extends Initiated {
  readonly kind: 'payment';
  readonly amount: string;
  readonly creditorName: string;
}
/** An order of the shop. */
export interface Purchase extends Initiated {
  readonly kind: 'purchase';
  readonly amount: string;
  readonly lines: readonly CartLine[];
}
interface Order extends Initiated {
  readonly kind: 'order';
  readonly amount: string;
  readonly creditorName: string;
  readonly creditorIban: string;
  /** The frequency in words. */
  readonly frequency: string;
}
export interface Bulk extends Initiated {
  readonly kind: 'bulk';
  readonly entries: readonly BulkEntry[];
}
export interface Basket extends Initiated {
  readonly kind: 'basket';
  readonly items: readonly BasketItem[];
  /** Whether the user has dissolved the basket, so that its items can be chosen again. */
  isDissolved?: boolean;
}
export type BasketItem = Payment | Bulk;
export type AnyInitiated = Payment | Purchase | Order | Bulk | Basket;

/** A file that has been read but not sent yet. */
export interface UploadedFile {
  readonly name: string;
  readonly file: BulkFile;
}

/** What the user is asked for at the bank, reading accounts under a consent or funds confirmation, and where. */
type Login = { readonly url: string; readonly pending: PendingAuthorisation } & (
  | { readonly scope: 'PSP_AI'; readonly consentId: string; readonly psuId: string }
  | { readonly scope: 'PSP_IC' }
);

/** The state that this app keeps for one browser. Tokens never leave the server. */
export interface Session {
  readonly csrf: string;
  /** The HTTP calls that this browser caused. */
  readonly wire: Wire;
  notice?: Notice;
  /** The test person whom the user picked. */
  person?: TestPerson;
  /** The next redirect to the bank, which /login performs. */
  login?: Login;
  /** The login at the bank from which the browser has not returned. */
  awaited?: Login;
  connection?: { readonly consentId: string; readonly psuId: string; readonly access: Access };
  accounts: readonly KnownAccount[];
  /** How many of each good of the shop are in the cart, by the good's id. */
  readonly cart: Map<string, number>;
  funds?: Access;
  /** By internal id, in the order of initiation. */
  readonly initiated: Map<string, AnyInitiated>;
  bulkFile?: UploadedFile;
  /** The items chosen for a basket that has not been created yet: the internal ids of payments and bulks. */
  basketChoice?: readonly string[];
}

const idleMs = 30 * 60_000;
/** The maximum number of sessions in memory. A new session beyond it replaces the least recently used one. */
const maxSessions = 1000;

/** The sessions of this process, which are lost when the process exits. */
export class Sessions {
  private readonly kept: LRUCache<string, Session>;

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.kept = new LRUCache({
      max: maxSessions,
      ttl: idleMs,
      updateAgeOnGet: true,
      // Reads the current time on each access.
      ttlResolution: 0,
      perf: { now: () => clock.nowMs() },
    });
  }

  /** Returns the active session for a cookie. Each access extends the session's lifetime. */
  find(id: string | undefined): Session | undefined {
    return id === undefined ? undefined : this.kept.get(hashKey(id));
  }

  begin(): { readonly id: string; readonly session: Session } {
    const session: Session = {
      csrf: randomToken(24),
      wire: new Wire(),
      accounts: [],
      cart: new Map(),
      initiated: new Map(),
    };
    return { id: this.add(session), session };
  }

  /**
   * Assigns a new id to the same session, so that an id planted before the return from the bank becomes useless
   * (session fixation).
   */
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

import { randomUUID } from 'node:crypto';
import type { Settings } from '../config.js';
import type { AnyInitiated, Initiated } from '../page/session.js';
import type { Visit } from '../page/visit.js';
import type { Bank, TppMessage } from './bank.js';

export type Outcome = Initiated | { readonly refused: readonly TppMessage[] };

/**
 * Initiates, reads and cancels resources at the bank. Payments, standing orders, bulks and signing baskets are
 * handled in the same way.
 */
export class Initiations {
  constructor(
    private readonly bank: Bank,
    private readonly settings: Settings,
  ) {}

  /**
   * Creates the resource at the bank. The browser then goes to `scaRedirect` and returns to `/back` or
   * `/not-signed` below the resource's page in this app. The bank is asked to report each change to
   * `/notifications`.
   */
  async begin(
    { session, ip }: Visit,
    bankPath: string,
    ownFolder: '/payments' | '/orders' | '/bulks' | '/baskets',
    json: unknown,
  ): Promise<Outcome> {
    const id = randomUUID();
    const ownPath = `${ownFolder}/${id}`;
    const { OWN_URL } = this.settings;
    const { connection } = session;
    const { status, body } = await this.bank.asApplication<{
      readonly paymentId?: string;
      readonly basketId?: string;
      readonly _links: { readonly scaRedirect?: { readonly href: string } };
    }>('PSP_PI', 'POST', bankPath, {
      json,
      headers: {
        'idempotency-key': id,
        'psu-ip-address': ip,
        'tpp-redirect-uri': `${OWN_URL}${ownPath}/back`,
        'tpp-nok-redirect-uri': `${OWN_URL}${ownPath}/not-signed`,
        'tpp-notification-uri': `${OWN_URL}/notifications`,
        'tpp-notification-content-preferred': 'status=PROCESS',
        ...(connection === undefined ? {} : { 'psu-id': encodeURI(connection.psuId) }),
      },
    });
    if (status !== 201) return { refused: body.tppMessages ?? [] };
    const { href } = body._links.scaRedirect ?? {};
    // For an account with several signers there is no such link. Its signers are invited one by one, which
    // this demo does not support.
    if (href === undefined) return { refused: [{ code: 'SEVERAL_SIGNERS' }] };
    const resourceId = body.paymentId ?? body.basketId ?? '';
    return { id, resourceId, ownPath, bankPath: `${bankPath}/${resourceId}`, scaRedirect: href };
  }

  /** Reads the resource at the bank, or the path `below` it. Returns undefined if it no longer exists there. */
  async read<Body>({ bankPath }: AnyInitiated, below = ''): Promise<Body | undefined> {
    const [body] = await this.bank.readAll<Body>([`${bankPath}${below}`]);
    return body;
  }

  /** Reads the status of each resource. */
  async readStatuses<Body>(all: readonly AnyInitiated[]): Promise<readonly (Body | undefined)[]> {
    return this.bank.readAll<Body>(all.map(({ bankPath }) => `${bankPath}/status`));
  }

  /** Cancels the resource at the bank. Returns false if the bank refuses because it is too late. */
  async cancel({ bankPath }: AnyInitiated): Promise<boolean> {
    const { status } = await this.bank.asApplication('PSP_PI', 'DELETE', bankPath);
    return status === 204;
  }
}

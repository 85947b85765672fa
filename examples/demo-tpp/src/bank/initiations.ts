import type { Api } from '@xs2a/client/api';
import { unwrap, Xs2aError } from '@xs2a/client/error';
import { randomUUID } from 'node:crypto';
import type { Settings } from '../config.js';
import type { AnyInitiated, Initiated, SignerLink } from '../page/session.js';
import type { Visit } from '../page/visit.js';
import type { WireTap } from '../wire/wire-tap.js';
import { type Bank, refusalOf, type TppMessage } from './bank.js';

/** Paths of all kinds of resources; the client has one type for each. */
type AnyPath = '/v1/signing-baskets';
interface Created {
  readonly paymentId?: string;
  readonly basketId?: string;
  readonly _links: { readonly scaRedirect?: { readonly href: string } };
}

export type Outcome = Initiated | { readonly refused: readonly TppMessage[] };

/**
 * Initiates, reads and cancels resources at the bank. Payments, standing orders, bulks and signing baskets are
 * handled in the same way.
 */
export class Initiations {
  constructor(
    private readonly bank: Bank,
    private readonly settings: Settings,
    private readonly tap: WireTap,
  ) {}

  /**
   * Creates the resource at the bank. The browser then goes to `scaRedirect` and returns to `/back` or
   * `/not-signed` below the resource's page in this app. The bank is asked to report each change to
   * `/notifications`.
   */
  async begin(
    { session, ip }: Visit,
    bankPath: string,
    ownFolder: '/payments' | '/purchases' | '/orders' | '/bulks' | '/baskets',
    json: unknown,
  ): Promise<Outcome> {
    const id = randomUUID();
    const ownPath = `${ownFolder}/${id}`;
    const { OWN_URL } = this.settings;
    const { connection } = session;
    const created = await this.api
      .POST(bankPath as AnyPath, {
        body: json as never,
        headers: {
          'Idempotency-Key': id,
          'PSU-IP-Address': ip,
          'TPP-Redirect-URI': `${OWN_URL}${ownPath}/back`,
          'TPP-Nok-Redirect-URI': `${OWN_URL}${ownPath}/not-signed`,
          'TPP-Notification-URI': `${OWN_URL}/notifications`,
          'TPP-Notification-Content-Preferred': 'status=PROCESS',
          ...(connection === undefined ? {} : { 'PSU-ID': encodeURI(connection.psuId) }),
        },
      })
      .then((answer): Created => unwrap(answer))
      .catch(refusalOf);
    if (created instanceof Xs2aError) return { refused: created.messages };
    const { href } = created._links.scaRedirect ?? {};
    const resourceId = created.paymentId ?? created.basketId ?? '';
    const known = { id, resourceId, ownPath, bankPath: `${bankPath}/${resourceId}` };
    this.tap.follow(resourceId);
    if (href !== undefined) return { ...known, scaRedirect: href };
    // An account with several signers has no such link, but one for each signer whom the app names.
    const signers = await this.startForSigners(known.bankPath, session.person?.signers ?? [], ip).catch(
      refusalOf,
    );
    if (signers instanceof Xs2aError) return { refused: signers.messages };
    const [first] = signers;
    return first === undefined
      ? { refused: [{ code: 'SEVERAL_SIGNERS', text: 'pick the test person who signs for this account' }] }
      : { ...known, scaRedirect: first.scaRedirect, signers };
  }

  /** Starts an authorisation for each signer. */
  private async startForSigners(
    bankPath: string,
    psuIds: readonly string[],
    ip: string,
  ): Promise<readonly SignerLink[]> {
    return Promise.all(
      psuIds.map(async (psuId) => {
        const { _links }: Created = unwrap(
          await this.api.POST(`${bankPath}/authorisations` as AnyPath, {
            body: {} as never,
            headers: { 'PSU-ID': psuId, 'PSU-IP-Address': ip },
          }),
        );
        return { psuId, scaRedirect: _links.scaRedirect?.href ?? '' };
      }),
    );
  }

  /** Reads the resource at the bank, or the path `below` it. Returns undefined if it no longer exists there. */
  async read<Body>({ bankPath }: AnyInitiated, below = ''): Promise<Body | undefined> {
    const body = await this.api
      .GET(`${bankPath}${below}` as '/v1/consents')
      .then(unwrap<unknown>)
      .catch(refusalOf);
    return body instanceof Xs2aError ? undefined : (body as Body);
  }

  /** Reads the status of each resource. */
  async readStatuses<Body>(all: readonly AnyInitiated[]): Promise<readonly (Body | undefined)[]> {
    return Promise.all(all.map(async (one) => this.read<Body>(one, '/status')));
  }

  /** Cancels the resource at the bank. Returns false if the bank refuses because it is too late. */
  async cancel({ bankPath }: AnyInitiated): Promise<boolean> {
    const { response } = await this.api.DELETE(bankPath as '/v1/consents/{consentId}', {} as never);
    return response.status === 204;
  }

  /** Makes a sandbox execute a signed payment now. Returns false if its state does not allow it. */
  async settle({ resourceId }: AnyInitiated): Promise<boolean> {
    const path = `/sandbox/payments/${resourceId}/settle`;
    const { response } = await this.api.POST(path as '/v1/signing-baskets', {} as never);
    return response.status === 204;
  }

  private get api(): Api {
    return this.bank.xs2a.api('PSP_PI');
  }
}

import { randomUUID } from 'node:crypto';
import type { Bank, TppMessage } from './bank.js';

/** The bank's path of initiations of one kind, and our path to which the person returns. */
export interface InitiationKind {
  readonly bankPath: string;
  readonly ownPath: '/payments' | '/orders' | '/bulks' | '/baskets';
}
interface Initiated {
  /** Our id, used in our addresses so that they do not show the bank's id. */
  readonly id: string;
  /** The bank's id. */
  readonly resourceId: string;
  readonly scaRedirect: string;
}
export type Outcome = Initiated | { readonly refused: readonly TppMessage[] };

/** Initiates at the bank, reads and cancels: the same for payments, standing orders, bulks and signing baskets. */
export class Initiations {
  constructor(
    private readonly bank: Bank,
    private readonly ownUrl: string,
  ) {}

  /**
   * Creates it at the bank; the browser then goes to `scaRedirect` and returns to `/back` or `/not-signed` below
   * our path. The bank is asked to report each change to `/notifications`.
   */
  async begin(
    { bankPath, ownPath }: InitiationKind,
    json: unknown,
    psu: { readonly id?: string; readonly ip: string },
  ): Promise<Outcome> {
    const token = await this.bank.applicationToken('PSP_PI');
    const id = randomUUID();
    const { status, body } = await this.bank.call<{
      readonly paymentId?: string;
      readonly basketId?: string;
      readonly _links: { readonly scaRedirect?: { readonly href: string } };
    }>('POST', bankPath, token, {
      json,
      headers: {
        'idempotency-key': id,
        'psu-ip-address': psu.ip,
        'tpp-redirect-uri': `${this.ownUrl}${ownPath}/${id}/back`,
        'tpp-nok-redirect-uri': `${this.ownUrl}${ownPath}/${id}/not-signed`,
        'tpp-notification-uri': `${this.ownUrl}/notifications`,
        'tpp-notification-content-preferred': 'status=PROCESS',
        ...(psu.id === undefined ? {} : { 'psu-id': encodeURI(psu.id) }),
      },
    });
    if (status !== 201) return { refused: body.tppMessages ?? [] };
    const { href } = body._links.scaRedirect ?? {};
    // An account with several signers has no such link: its signers are invited one by one, which this demo does not do.
    if (href === undefined) return { refused: [{ code: 'SEVERAL_SIGNERS' }] };
    return { id, resourceId: body.paymentId ?? body.basketId ?? '', scaRedirect: href };
  }

  /** Reads the resource at `path`; undefined: it no longer exists at the bank. */
  async read<Body>(path: string): Promise<Body | undefined> {
    const [body] = await this.readAll<Body>([path]);
    return body;
  }

  /** Reads several paths at once, each as {@link read} does. */
  async readAll<Body>(paths: readonly string[]): Promise<readonly (Body | undefined)[]> {
    const token = await this.bank.applicationToken('PSP_PI');
    const answers = await Promise.all(paths.map(async (path) => this.bank.call<Body>('GET', path, token)));
    return answers.map(({ status, body }) => (status === 200 ? body : undefined));
  }

  /** Cancels the resource at `path`; false: the bank refuses because it is too late. */
  async cancel(path: string): Promise<boolean> {
    const token = await this.bank.applicationToken('PSP_PI');
    const { status } = await this.bank.call('DELETE', path, token);
    return status === 204;
  }
}

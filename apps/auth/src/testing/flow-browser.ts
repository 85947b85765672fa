import { newId } from '@xs2a/runtime/ids';
import type { Answer, PageRequest } from '../sca/page-request.js';
import type { AuthorisationRequest, Closed } from '../sca/requests/authorisation-request.js';
import type { ScaFlow } from '../sca/sca-flow.js';
import { makeLook } from './test-look.js';

const look = makeLook();

/** A TPP's payment that waits for a signature. `approve` is what the payments service does once it is signed. */
export const payment = (
  { tppId = 'A', debtorIban = newId() }: Partial<Pick<AuthorisationRequest, 'tppId' | 'debtorIban'>> = {},
  approve: AuthorisationRequest['approve'] = async () => ({ kind: 'authorised' }),
) => {
  const id = newId();
  const authorisation: AuthorisationRequest = {
    kind: 'payment',
    tppName: 'TPP',
    tppId,
    debtorIban,
    picksAccounts: false,
    hasWayBack: false,
    refusesSignedIn: false,
    formTargets: [],
    identify: async () => undefined,
    accounts: async () => [],
    isOutdated: () => false,
    rows: () => [],
    content: () => ({ kind: 'consent', resourceId: id, accounts: [] }),
    approve,
    refuse: async (reason) => ({ kind: 'failed', reason }),
    leave: async () => undefined,
  };
  return { id, authorisation };
};
type Open = (psuId?: string) => Promise<AuthorisationRequest | Closed>;

/** A browser that follows the page flow of one link. */
export class FlowBrowser {
  cookie: string | undefined;
  /** The page that was shown last. */
  text = '';
  /** The seconds after which the page that was shown last is loaded again. */
  renewAfter: number | undefined;

  constructor(
    private readonly flow: Pick<ScaFlow, 'show' | 'submit'>,
    private readonly id: string,
    private readonly open: Open,
  ) {}

  get path(): string {
    return `/sca/payment/${this.id}`;
  }

  async look(lang?: string): Promise<string> {
    const answered = this.received(await this.flow.show({ ...this.request({}), query: { lang } }, this.open));
    if ('redirect' in answered) return answered.redirect;
    this.text = answered.page(look).text;
    this.renewAfter = answered.renewAfter;
    return /name="step"\s+value="([\w-]+)"/.exec(this.text)?.[1] ?? this.text;
  }

  form(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const hidden = this.text.matchAll(/type="hidden"\s+name="(\w+)"\s+value="([^"]*)"/g);
    return {
      decision: 'approve',
      ...Object.fromEntries([...hidden].map(([, name, value]) => [name, value])),
      ...fields,
    };
  }

  async send(form: Readonly<Record<string, string>>): Promise<Answer> {
    return this.received(await this.sendAndLose(form));
  }

  async sendAndLose(form: Readonly<Record<string, string>>): Promise<Answer> {
    return this.flow.submit(this.request(form), this.open);
  }

  async signIn(psuId = `psu ${this.id}`): Promise<string> {
    await this.look();
    await this.send(this.form({ psuId, password: 'right' }));
    return this.look();
  }

  get notice(): string {
    const [, box = ''] = /role="(?:alert|status)">(.*?)<\/(?:div|p)>/s.exec(this.text) ?? [];
    return box.replaceAll(/<[^>]*>/g, '').trim();
  }

  private received(answered: Answer): Answer {
    if (answered.cookie !== undefined) this.cookie = answered.cookie;
    return answered;
  }

  private request(form: Readonly<Record<string, string>>): PageRequest {
    return {
      path: this.path,
      resource: `payment/${this.id}`,
      cookie: this.cookie,
      query: {},
      accept: 'en',
      form: new URLSearchParams(form),
      isForeign: false,
      receivedAt: performance.now(),
    };
  }
}

import type { Bank } from '../bank/bank.js';
import type { BankLogin } from '../bank/bank-login.js';
import type { Session } from '../page/sessions.js';

interface Amount {
  readonly amount: string;
  readonly currency: string;
}
export interface Account {
  readonly resourceId: string;
  readonly iban: string;
  readonly currency: string;
  readonly product?: string;
  readonly balances?: readonly { readonly balanceType: string; readonly balanceAmount: Amount }[];
}
export interface Transaction {
  readonly transactionAmount: Amount;
  readonly bookingDate?: string;
  readonly creditorName?: string;
  readonly debtorName?: string;
  readonly remittanceInformationUnstructured?: string;
}
export interface Movements {
  readonly account: { readonly iban: string };
  readonly transactions: {
    readonly booked?: readonly Transaction[];
    readonly pending?: readonly Transaction[];
  };
}

/** "As long as may be": the bank shortens it to what it allows (Berlin Group, validUntil). */
const forever = '9999-12-31';

/** The account information side: a consent, the person's approval at the bank, and then reading. */
export class AccountInformation {
  constructor(
    private readonly bank: Bank,
    private readonly login: BankLogin,
  ) {}

  /**
   * Requests a consent in which the person chooses the accounts at the bank. Returns where to send the browser.
   * Undefined: the bank refused the request.
   */
  async connect(session: Session, psuId: string, psuIp: string): Promise<string | undefined> {
    const token = await this.bank.applicationToken('PSP_AI');
    const { status, body } = await this.bank.call<{ readonly consentId: string }>(
      'POST',
      '/v1/consents',
      token,
      {
        json: {
          access: { accounts: [], balances: [], transactions: [] },
          recurringIndicator: true,
          validUntil: forever,
          frequencyPerDay: 4,
          combinedServiceIndicator: false,
        },
        headers: { 'psu-id': encodeURI(psuId), 'psu-ip-address': psuIp },
      },
    );
    if (status !== 201) return undefined;
    return this.login.begin(session, { purpose: 'accounts', consentId: body.consentId, psuId });
  }

  /** Reads the person's accounts at the bank; undefined when the person has to connect again. */
  async accounts(session: Session, psuIp: string): Promise<readonly Account[] | undefined> {
    const answer = await this.read<{ readonly accounts: readonly Account[] }>(
      session,
      psuIp,
      '/v1/accounts?withBalance=true',
    );
    if (answer === undefined) return undefined;
    session.accounts = answer.accounts.map(({ iban, currency }) => ({ iban, currency }));
    return answer.accounts;
  }

  async movements(session: Session, psuIp: string, resourceId: string): Promise<Movements | undefined> {
    const path = `/v1/accounts/${encodeURIComponent(resourceId)}/transactions?bookingStatus=both&pageSize=20`;
    return this.read<Movements>(session, psuIp, path);
  }

  /** The person ends the access here; the bank is informed, so that it ends there too. */
  async disconnect(session: Session): Promise<void> {
    const { connection } = session;
    if (connection === undefined) return;
    const token = await this.bank.applicationToken('PSP_AI');
    await this.bank.call('DELETE', `/v1/consents/${connection.consentId}`, token);
    forget(session);
  }

  private async read<Body>(session: Session, psuIp: string, path: string): Promise<Body | undefined> {
    const grant = session.connection?.grant;
    const answer = grant && (await this.bank.asPerson<Body>(grant, psuIp, 'GET', path));
    if (answer === undefined) {
      if (grant !== undefined) session.notice = 'connect-again';
      forget(session);
      return undefined;
    }
    return answer.status === 200 ? answer.body : undefined;
  }
}

const forget = (session: Session): void => {
  delete session.connection;
  session.accounts = [];
};

import { confirmFunds, readAccounts } from './accounts.js';
import { demoScripts } from './demo-payments.js';
import { readCustomer } from './customer.js';
import { pay } from './payment.js';
import { becomeCustomer, type Customer, expectStatus, type Stage } from './stage.js';
import { type Talk, TalkingTpp } from './talk.js';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { type ClientTls, sendOverTls } from '@xs2a/tpp-client/tls-send';
import type { StandardName } from '@xs2a/domain/payment/standards/standard-name';
import type { TppCredentials } from '@xs2a/tpp-client/tpp-client';

export interface DemoOptions {
  /** The bank's public address, which is also its issuer. */
  readonly baseUrl: string;
  /** The standard of the bank's payments: in leva or in euro. */
  readonly standard: StandardName;
  /**
   * The TPP from the bank's fixtures. If a client certificate is given, the demo registers a TPP of its own
   * instead.
   */
  readonly fixtureTpp: { readonly clientId: string; readonly clientSecret: string };
  readonly tls?: ClientTls;
  /**
   * A JSON file with psuId, password and iban; if it is absent, the demo creates a new customer of the sandbox
   * bank.
   */
  readonly customerFile?: string;
}

const redirectUri = 'http://127.0.0.1:8090/callback';

/**
 * Acts as a TPP that uses only the bank's public interface. Returns the id of the payment. Throws at the first
 * deviation from the contract.
 */
export const playDemo = async (options: DemoOptions, talk: Talk): Promise<string> => {
  const { baseUrl, standard, fixtureTpp, tls, customerFile } = options;
  const { currency, payments } = demoScripts[standard];
  const sender = tls === undefined ? send : sendOverTls(tls);
  const makeTpp = (credentials: TppCredentials): TalkingTpp =>
    new TalkingTpp(baseUrl, credentials, talk, sender);
  const certificate = tls?.identity?.certificate;
  const tpp =
    certificate === undefined
      ? makeTpp({ ...fixtureTpp, redirectUri })
      : makeTpp(await register(makeTpp({ clientId: 'nobody', redirectUri }), talk, certificate));
  const shown = certificate === undefined ? '' : ', and presents its certificate on every call';
  talk.say(`The TPP “${tpp.credentials.clientId}” talks to ${baseUrl}${shown}.`);

  talk.heading('The TPP gets an application token');
  const applicationToken = await tpp.applicationToken();
  // The customer's browser has no client certificate.
  const browse = tls?.ca === undefined ? send : sendOverTls({ ca: tls.ca });
  const start = { tpp, talk, applicationToken, browse, currency };
  const customer = customerFile === undefined ? await newCustomer(start) : readCustomer(customerFile);
  const stage: Stage = { ...start, customer };
  const [first, ...others] = payments;
  const paymentId = await pay(stage, first);
  // Only the sandbox knows how an instant payment to one of these payees ends.
  const further = customerFile === undefined ? others : others.filter(({ instant }) => instant === undefined);
  for (const payment of further) await pay(stage, payment);
  const expected = await readAccounts(stage, [first, ...further]);
  await confirmFunds(stage, expected);
  return paymentId;
};

const newCustomer = async (stage: Omit<Stage, 'customer'>): Promise<Customer> => {
  stage.talk.heading(`A new customer opens an account with 1,000.00 ${stage.currency} (sandbox only)`);
  return becomeCustomer(stage);
};

/** Registers a TPP that authenticates only with its certificate (RFC 8705). */
const register = async (tpp: TalkingTpp, talk: Talk, certificate: string): Promise<TppCredentials> => {
  talk.heading('The TPP registers itself with its certificate (sandbox only)');
  const answer = await tpp.call('POST', '/sandbox/tpps', undefined, {
    json: {
      name: 'Demo TPP',
      redirectUris: [redirectUri],
      roles: ['PSP_AI', 'PSP_PI', 'PSP_IC'],
      tokenEndpointAuthMethod: 'tls_client_auth',
      certificate,
    },
  });
  expectStatus(talk, answer, 201);
  return { clientId: parseJson<{ clientId: string }>(answer).clientId, redirectUri };
};

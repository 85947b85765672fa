import { type Answer, parseJson, type Send, send } from '@xs2a/tpp-client/http';
import { PsuBrowser } from '@xs2a/tpp-client/psu-browser';
import { type PsuCredentials, walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { homeCurrency } from './home.js';
import { type Tokens, TppClient, type TppCredentials } from '@xs2a/tpp-client/tpp-client';

/** A PSU at the sandbox bank. */
export interface FreshPsu extends PsuCredentials {
  readonly accounts: readonly { readonly iban: string; readonly currency: string }[];
}

const fixturePorts = { 'sandbox-tpp': 8090, 'sandbox-tpp-2': 8091, 'sandbox-tpp-ai-only': 8092 } as const;
export type FixtureTpp = keyof typeof fixturePorts;

/** Returns a client for one of the TPPs in the fixtures. */
export const fixtureTpp = (baseUrl: string, clientId: FixtureTpp = 'sandbox-tpp', sender?: Send): TppClient =>
  new TppClient(
    baseUrl,
    {
      clientId,
      clientSecret: `${clientId}-secret`,
      redirectUri: `http://127.0.0.1:${fixturePorts[clientId]}/callback`,
    },
    sender,
  );

/** Registers a TPP that no other test uses. */
export const registerTpp = async (
  baseUrl: string,
  name: string,
  redirectUri: string,
  roles: readonly string[] = ['PSP_AI', 'PSP_PI', 'PSP_IC'],
): Promise<TppCredentials> => {
  const json = { name, redirectUris: [redirectUri], roles };
  const { clientId, clientSecret } = bodyOf<TppCredentials>(
    await send('POST', `${baseUrl}/sandbox/tpps`, { json }),
    201,
  );
  return { clientId, clientSecret, redirectUri };
};

/** Builds the body of POST /sandbox/psus for a person whose accounts have the given opening balances in this currency. */
export const personIn = (currency: string, openings: readonly string[]) => ({
  name: 'Тест Тестов',
  accounts: openings.map((opening) => ({ currency, opening })),
});

/** Creates a person whom no other test uses, and whose accounts have the given opening balances in this currency. */
export const openPersonIn = async (
  tpp: TppClient,
  currency: string,
  ...openings: readonly string[]
): Promise<FreshPsu> =>
  bodyOf<FreshPsu>(
    await tpp.call('POST', '/sandbox/psus', await tpp.applicationToken(), {
      json: personIn(currency, openings),
    }),
    201,
  );

/** Creates a person whom no other test uses, and whose accounts have the given opening balances in the home currency. */
export const openPerson = async (tpp: TppClient, ...openings: readonly string[]): Promise<FreshPsu> =>
  openPersonIn(tpp, homeCurrency, ...openings);

/** Goes from /oauth2/authorize through the bank's pages and returns the tokens. */
export const authorise = async (
  tpp: TppClient,
  psu: PsuCredentials,
  scope: string,
  consentId?: string,
  browser = new PsuBrowser({ 'accept-language': 'en' }),
): Promise<Tokens> => {
  const request = tpp.authorizationRequest(scope, consentId);
  await walkAndApprove(browser, request.url, psu);
  return tpp.redeem(tpp.parseCode(browser.leftTo, request), request);
};

/** Returns the response. Throws if its status is not the given one. */
export const expectStatus = (answer: Answer, status: number): Answer => {
  if (answer.status !== status)
    throw new Error(`${answer.status} instead of ${status}: ${answer.text.slice(0, 300)}`);
  return answer;
};

/** Returns the body of a response with the given status. Throws if its status is another. */
export const bodyOf = <Body>(answer: Answer, status: number): Body =>
  parseJson<Body & Record<string, unknown>>(expectStatus(answer, status));

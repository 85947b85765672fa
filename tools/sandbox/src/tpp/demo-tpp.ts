import { freePort, isPortFree } from '@xs2a/local-servers/free-port';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { type Layout, readJson, writePrivately } from '../layout.js';
import { readFixtures } from '../fixtures.js';

/** The third party that runs alongside the sandbox bank and uses only its public interface. */
export interface DemoTpp {
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The port at which the bank's fixtures expect the demo TPP. */
const usual = { bankPort: 8080, port: 8090 };

export const makeOwnUrl = ({ port }: DemoTpp): string => `http://127.0.0.1:${port}`;

/**
 * Returns the demo TPP's identity. On the usual ports it is the registration in the fixtures. On other ports, a
 * new registration is created, kept with the sandbox's data, and reused while its port is free. Throws a one-line
 * error if the requested port is in use.
 */
export const demoTpp = async (layout: Layout, baseUrl: string, wantedPort?: number): Promise<DemoTpp> => {
  if (wantedPort !== undefined && !(await isPortFree(wantedPort)))
    throw new Error(`Port ${wantedPort} is taken. Run: npm start -- --demo-port ${wantedPort + 1}`);
  const isUsual =
    new URL(baseUrl).port === String(usual.bankPort) &&
    (wantedPort ?? usual.port) === usual.port &&
    (await isPortFree(usual.port));
  const fixture = isUsual
    ? readFixtures().tpps.find(({ redirectUris }) => redirectUris.includes(callback(usual.port)))
    : undefined;
  if (fixture !== undefined) return { ...fixture, port: usual.port };
  const kept = readJson<DemoTpp>(layout.demoTpp);
  if (kept !== undefined && kept.port === (wantedPort ?? kept.port) && (await isPortFree(kept.port)))
    return kept;
  const port = wantedPort ?? (await freePort());
  const answer = await send('POST', `${baseUrl}/sandbox/tpps`, {
    json: {
      name: 'Sandbox TPP',
      redirectUris: [callback(port)],
      roles: ['PSP_AI', 'PSP_PI', 'PSP_IC'],
    },
  });
  if (answer.status !== 201) throw new Error(`the demo TPP was not registered: ${answer.status}`);
  const { clientId, clientSecret } = parseJson<DemoTpp>(answer);
  const registered = { port, clientId, clientSecret };
  writePrivately(layout.demoTpp, JSON.stringify(registered));
  return registered;
};

const callback = (port: number): string => `http://127.0.0.1:${port}/callback`;

/** Returns the demo TPP's environment; its secret is in a file. */
export const demoTppEnvironment = (
  tpp: DemoTpp,
  {
    layout,
    baseUrl,
    currency,
    logLevel,
  }: {
    readonly layout: Layout;
    readonly baseUrl: string;
    /** The home currency of the bank. */
    readonly currency: string;
    readonly logLevel: string;
  },
): Readonly<Record<string, string>> => {
  const secretFile = layout.secret('demo-tpp-secret');
  writePrivately(secretFile, `${tpp.clientSecret}\n`);
  return {
    PORT: String(tpp.port),
    HEALTH_PORT: String(tpp.port),
    BANK_URL: baseUrl,
    OWN_URL: makeOwnUrl(tpp),
    CLIENT_ID: tpp.clientId,
    CLIENT_SECRET_FILE: secretFile,
    CURRENCY: currency,
    LOG_LEVEL: logLevel,
  };
};

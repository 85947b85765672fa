import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { randomUUID } from 'node:crypto';
import {
  domesticPath,
  domesticPayment,
  type Initiated,
  parseInitiated,
  readStatus,
  until,
} from './requests.js';
import type { FreshPsu } from './sandbox-tpp.js';
import type { World } from './world.js';

/**
 * Retries a request with the same key until it gets a final response, as a TPP does after a 503 or a lost
 * connection.
 */
export const insist = async (world: World, psu: FreshPsu, amount: string): Promise<Initiated> => {
  const tpp = world.tpp();
  const headers = { 'idempotency-key': randomUUID() };
  return until(
    async (): Promise<Initiated | undefined> => {
      try {
        const token = await tpp.applicationToken();
        const answer = await tpp.call('POST', domesticPath, token, {
          json: domesticPayment(psu.accounts[0]?.iban ?? '', amount),
          headers,
        });
        return parseInitiated(answer);
      } catch {
        return undefined;
      }
    },
    (payment) => payment !== undefined,
    40,
  ) as Promise<Initiated>;
};
/**
 * Signs until the authorisation is finalised. If a page could not be loaded, it is unknown whether the signature
 * counted, so the API is read.
 */
export const sign = async (world: World, { scaRedirect, path }: Initiated, psu: FreshPsu): Promise<void> => {
  const tpp = world.tpp();
  const authorisation = `${path}/authorisations/${scaRedirect.split('/').at(-1)}`;
  await until(
    async () => {
      const problem = await walkAndApprove(world.browser(), scaRedirect, psu).then(() => '', String);
      try {
        const answer = await tpp.call('GET', authorisation, await tpp.applicationToken());
        return { problem, ...parseJson<{ scaStatus?: string }>(answer) };
      } catch {
        return { problem };
      }
    },
    ({ scaStatus }) => scaStatus === 'finalised',
    60,
  );
};
/** Polls until the payment is settled. Returns its status. */
export const finalStatus = async (world: World, { path }: Initiated): Promise<Record<string, unknown>> => {
  const tpp = world.tpp();
  return until(
    async () => {
      try {
        return await readStatus(tpp, await tpp.applicationToken(), path);
      } catch {
        return {};
      }
    },
    (status) => status['transactionStatus'] === 'ACSC',
    60,
  );
};
/** Moves the clock, retrying until it succeeds. */
export const advance = async (world: World, duration: string): Promise<unknown> =>
  until(
    async () => world.advance(duration).catch(() => undefined),
    (now) => now !== undefined,
    40,
  );

import { CallClient } from '@xs2a/calls/client';
import type { Call } from '@xs2a/contracts/call';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { type Failure, failures } from '@xs2a/domain/failure/failures';
import { xs2a } from './command-line/own-name.js';
import { Refusal } from './command-line/refusal.js';
import type { Connections } from './connections.js';

const toSentence = ({ failure, path, text }: Failure): string =>
  `${path === undefined ? '' : `${path}: `}${text ?? failures[failure][2]}`;

/** Returns a function that calls a service as the operator. It throws {@link Refusal} with the service's failures. */
const asking =
  (service: string) =>
  async <Request, Answer>(
    connections: Connections,
    call: Call<Request, Answer>,
    request: Request,
  ): Promise<Answer> => {
    const callClient = new CallClient(await connections.calls(), { offsetMs: 0, raiseTo: () => undefined });
    try {
      return await callClient.call(call, request);
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      const down = error.failures.some(({ failure }) => failure === 'dependencyDown');
      throw new Refusal(
        down
          ? `${service} does not answer. Run: ${xs2a('doctor')}`
          : error.failures.map(toSentence).join('\n'),
        1,
        down,
      );
    }
  };

export const askAccounts = asking('The accounts service');
export const askAuth = asking('The authorization server');
export const askConsole = asking('The console');
export const askConsents = asking('The consents service');
export const askPayments = asking('The payments service');
export const askSettlement = asking('The settlement worker');

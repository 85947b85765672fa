import type { Readiness } from '@xs2a/observability/health';
import type { Connections } from '../connections.js';
import { type Check, failed, type Outcome, passed } from './check.js';

/** Asks the gateway whether it is ready, and reports the reason if it is not. */
const run = async ({ baseUrl }: Connections): Promise<Outcome> => {
  if (baseUrl === undefined) return passed('not checked: BASE_URL is not set');
  const url = `${baseUrl}/health/ready`;
  // After any error, the text below states that there was no response.
  const answer = await fetch(url, { signal: AbortSignal.timeout(3000) }).catch(() => undefined);
  const text =
    answer === undefined
      ? `${baseUrl} does not answer`
      : [`${baseUrl} answers ${answer.status}`, ...(await readFailedChecks(answer))].join('; ');
  return answer?.ok === true ? passed(text) : failed(text, `curl -i ${url}`);
};

const readFailedChecks = async (answer: Response): Promise<string[]> => {
  // A proxy in front of the gateway may return something other than JSON.
  const body = (await answer.json().catch(() => undefined)) as Partial<Readiness> | undefined;
  return Object.entries(body?.checks ?? {})
    .filter(([, result]) => result !== 'ok')
    .map(([name, result]) => `${name}: ${result}`);
};

export const gatewayCheck: Check = { name: 'public address', needs: ['postgres', 'nats'], run };

import type { Pulse } from '@xs2a/contracts/pulse.contract';
import type { ServiceName } from '@xs2a/contracts/services';
import { type Html, html } from '@xs2a/html/html';
import { page } from '../pages/layout.js';

/** A part of the interface, and the services without which it does not work. */
interface Part {
  readonly name: string;
  readonly meaning: string;
  readonly services: readonly ServiceName[];
}

const parts: readonly Part[] = [
  {
    name: 'Tokens and sign-in',
    meaning: 'Access tokens, and the pages on which customers sign',
    services: ['gateway', 'auth'],
  },
  {
    name: 'Payments',
    meaning: 'Initiation, authorisation, status and cancellation',
    services: ['gateway', 'payments', 'accounts'],
  },
  {
    name: 'Execution of payments',
    meaning: 'Signed payments are carried out when they are due',
    services: ['settlement-worker', 'payments', 'accounts'],
  },
  {
    name: 'Consents',
    meaning: 'Creation, authorisation, status and termination',
    services: ['gateway', 'consents', 'accounts'],
  },
  {
    name: 'Accounts',
    meaning: 'Accounts, balances and transactions',
    services: ['gateway', 'consents', 'accounts'],
  },
  {
    name: 'Funds confirmation',
    meaning: 'Whether an amount is covered',
    services: ['gateway', 'funds-confirmation', 'accounts'],
  },
  {
    name: 'Status push',
    meaning: 'Notifications to your application',
    services: ['notifications'],
  },
];

type State = 'works' | 'slow' | 'down';

/** `works` if each service has an instance that is ready; `slow` if one of them is behind; else `down`. */
const stateOf = ({ services }: Part, heard: readonly Pulse[]): State => {
  const ready = services.map((service) =>
    heard.filter((pulse) => pulse.service === service && pulse.isReady),
  );
  if (ready.some((instances) => instances.length === 0)) return 'down';
  return ready.some((instances) => instances.every(({ degraded }) => degraded.length > 0)) ? 'slow' : 'works';
};

const words: Readonly<Record<State, { readonly pill: string; readonly text: string }>> = {
  works: { pill: 'good', text: 'Works' },
  slow: { pill: 'attention', text: 'Works, but is behind' },
  down: { pill: 'problem', text: 'Does not work' },
};

const summaryOf = (states: readonly State[]): string => {
  const down = states.filter((state) => state === 'down').length;
  if (down > 0) return `${down} of ${states.length} parts ${down === 1 ? 'does' : 'do'} not work`;
  return states.includes('slow') ? 'Everything works; some parts are behind' : 'Everything works';
};

/**
 * The page of the parts of the interface. `heard`: the pulses of the running processes; undefined while this process has not
 * listened long enough to say which are missing. `nowMs`: real time in epoch milliseconds.
 */
export const statusPage = (heard: readonly Pulse[] | undefined, nowMs: number): Html => {
  const at = `${new Date(nowMs).toISOString().slice(11, 19)} UTC`;
  const body =
    heard === undefined
      ? html`<h1>Status</h1>
          <p class="lead">The portal has just started. Load this page again in five seconds.</p>`
      : html`<h1>Status</h1>
          <p class="lead">${summaryOf(parts.map((part) => stateOf(part, heard)))}, as of ${at}.</p>
          <ul class="states">
            ${parts.map((part) => {
              const { pill, text } = words[stateOf(part, heard)];
              return html`<li>
                <span><b>${part.name}</b> <span class="quiet">${part.meaning}</span></span>
                <span class="pill ${pill}">${text}</span>
              </li>`;
            })}
          </ul>
          <p class="quiet">
            While a part does not work, its calls return 503 with <code>Retry-After</code>. Send the same
            request again, with the same <code>Idempotency-Key</code>: a POST happens once or not at all.
          </p>`;
  return page({ path: '/status', title: 'Status', body });
};

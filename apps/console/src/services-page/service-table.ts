import { type Html, html } from '@xs2a/html/html';
import type { Pulse } from '@xs2a/contracts/pulse.contract';
import type { ServiceName } from '@xs2a/contracts/services';
import { durationText } from '@xs2a/doctor/durations';
import type { InstanceState } from '@xs2a/doctor/instances';

/** One row for each service: how many of its instances are well, and what it says about itself. */
export const serviceTable = (instances: readonly InstanceState[], nowMs: number): Html => {
  const services = [...new Set(instances.map(({ service }) => service))];
  return html`<table>
    <thead>
      <tr>
        <th scope="col">service</th>
        <th scope="col">instances</th>
        <th scope="col" class="number">since</th>
        <th scope="col">memory · event loop p99</th>
        <th scope="col">what it says</th>
      </tr>
    </thead>
    <tbody>
      ${services.map((service) =>
        serviceRow(
          service,
          instances.filter((state) => state.service === service),
          nowMs,
        ),
      )}
    </tbody>
  </table>`;
};

const serviceRow = (service: ServiceName, states: readonly InstanceState[], nowMs: number): Html => {
  const running = states.flatMap((state) => (state.kind === 'running' ? [state] : []));
  const well = running.filter(({ failedChecks }) => failedChecks.length === 0).length;
  const all = states.filter(({ kind }) => kind !== 'missing').length;
  const level = well === 0 ? 'problem' : well < all ? 'attention' : 'good';
  const [first] = running
    .map(({ pulse }) => pulse)
    .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
  return html`<tr ${well === 0 ? html`class="is-problem"` : undefined}>
    <td><b>${service}</b></td>
    <td><span class="pill ${level}">${well} of ${Math.max(all, 1)}</span></td>
    <td class="number">${first === undefined ? '–' : durationText(nowMs - Date.parse(first.startedAt))}</td>
    <td class="mono">
      ${running.length === 0 ? '–' : running.map(({ pulse }, at) => [at === 0 ? '' : ', ', load(pulse)])}
    </td>
    <td>${states.flatMap((state) => says(state)).map((text, at) => [at === 0 ? '' : '; ', text])}</td>
  </tr>`;
};

const load = ({ memoryBytes, eventLoopP99Ms }: Pulse): string =>
  `${Math.round(memoryBytes / 1e6)} MB · ${durationText(eventLoopP99Ms)}`;

/** What an operator should know about an instance; nothing for one that is well. */
export const says = (state: InstanceState): readonly string[] => {
  if (state.kind === 'missing') return ['no instance is running'];
  if (state.kind === 'silent') {
    const { host, pid } = state.instance;
    return [`silent for ${durationText(state.silentMs)}: ${host}, pid ${pid}`];
  }
  const { pulse, failedChecks } = state;
  return [
    ...(failedChecks.length === 0 ? [] : [`not ready: ${failedChecks.join(', ')}`]),
    ...Object.entries(pulse.unanswered).map(
      ([callee, calls]) =>
        `${calls} ${calls === 1 ? 'call' : 'calls'} to ${callee} had no reply in the last minute`,
    ),
    ...(pulse.pool === undefined || pulse.pool.waiting === 0
      ? []
      : [`${pulse.pool.waiting} statements wait for one of ${pulse.pool.open} connections`]),
    ...pulse.degraded,
  ];
};

import { type Html, html } from '@xs2a/html/html';
import { durationText } from '@xs2a/doctor/durations';
import type { InstanceState } from '@xs2a/doctor/instances';
import type { Instance } from '../instances/instance.entity.js';
import type { Observation } from '../now/observer.js';
import { timeOf } from '../pages/times.js';
import { says } from './service-table.js';

/** One row for each process, silent ones first within their service. */
export const instanceTable = ({ instances, atMs }: Pick<Observation, 'instances' | 'atMs'>): Html =>
  html`<table>
    <caption>
      Processes
    </caption>
    <thead>
      <tr>
        <th scope="col">service</th>
        <th scope="col">state</th>
        <th scope="col">host, pid</th>
        <th scope="col">version</th>
        <th scope="col" class="number">up</th>
        <th scope="col" class="number">memory</th>
        <th scope="col" class="number">event loop p99</th>
        <th scope="col">connections</th>
        <th scope="col">what it says</th>
      </tr>
    </thead>
    <tbody>
      ${instances.map((state) => instanceRow(state, atMs))}
    </tbody>
  </table>`;

const instanceRow = (state: InstanceState, nowMs: number): Html => {
  if (state.kind === 'running') {
    const { pulse, failedChecks } = state;
    const isWell = failedChecks.length === 0;
    return html`<tr ${isWell ? undefined : html`class="is-problem"`}>
      <td><b>${state.service}</b></td>
      <td><span class="pill ${isWell ? 'good' : 'problem'}">${isWell ? 'ready' : 'not ready'}</span></td>
      <td class="mono">${pulse.host}, ${pulse.pid}</td>
      <td class="mono">${pulse.version}</td>
      <td class="number">${durationText(nowMs - Date.parse(pulse.startedAt))}</td>
      <td class="number">${Math.round(pulse.memoryBytes / 1e6)} MB</td>
      <td class="number">${durationText(pulse.eventLoopP99Ms)}</td>
      <td>${pulse.pool === undefined ? '–' : `${pulse.pool.open} open, ${pulse.pool.waiting} waiting`}</td>
      <td>${says(state).join('; ')}</td>
    </tr>`;
  }
  const known = state.kind === 'silent' ? state.instance : undefined;
  return html`<tr class="is-problem">
    <td><b>${state.service}</b></td>
    <td><span class="pill problem">${state.kind === 'silent' ? 'silent' : 'missing'}</span></td>
    <td class="mono">${known === undefined ? '–' : `${known.host}, ${known.pid}`}</td>
    <td>–</td>
    <td class="number">–</td>
    <td class="number">–</td>
    <td class="number">–</td>
    <td>–</td>
    <td>${says(state).join('; ')}</td>
  </tr>`;
};

/** The latest starts, newest first, each with the way in which the process ended. */
export const startTable = (
  starts: readonly Instance[],
  limit: number,
  instances: readonly InstanceState[] | undefined,
): Html =>
  html`<table>
    <caption>
      Starts${starts.length === limit ? `, the newest ${limit}` : ''}
    </caption>
    <thead>
      <tr>
        <th scope="col">started (UTC)</th>
        <th scope="col">service</th>
        <th scope="col">version</th>
        <th scope="col">host, pid</th>
        <th scope="col">last heard (UTC)</th>
        <th scope="col">how it ended</th>
      </tr>
    </thead>
    <tbody>
      ${starts.map(
        (start) =>
          html`<tr>
            <td class="mono">${timeOf(start.startedAt)}</td>
            <td>${start.service}</td>
            <td class="mono">${start.version}</td>
            <td class="mono">${start.host}, ${start.pid}</td>
            <td class="mono">${timeOf(start.lastPulseAt)}</td>
            <td>${endText(start, instances)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;

/** Who sends the signals that end a process in an orderly way. */
const senders: Readonly<Record<string, string>> = {
  SIGTERM: 'asked to stop, by a deployment or its supervisor',
  SIGINT: 'Ctrl-C in a terminal',
};

/**
 * How a process ended. One that is killed or crashes cannot report its end. `instances`: the present state, undefined if it is not
 * known.
 */
export const endText = (
  { id, ended }: Pick<Instance, 'id' | 'ended'>,
  instances: readonly InstanceState[] | undefined,
): string => {
  if (ended !== null)
    return `orderly, after ${ended.signal}${ended.signal in senders ? ` (${senders[ended.signal]})` : ''}`;
  if (instances === undefined) return 'no end was reported; whether it runs is not known now';
  const state = instances.find(
    (one) =>
      (one.kind === 'running' && one.pulse.instance === id) ||
      (one.kind === 'silent' && one.instance.instance === id),
  );
  if (state?.kind === 'running') return 'it runs';
  if (state?.kind === 'silent') return 'it hangs, or was killed: no end was reported';
  return 'it was killed (SIGKILL, out of memory), crashed, or lost its host: no end was reported';
};

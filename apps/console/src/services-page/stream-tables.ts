import type {
  ConsumerReport,
  CopyVerification,
  EventStreamReport,
} from '@xs2a/contracts/console/event-stream.contract';
import { eventStreams } from '@xs2a/contracts/event-streams';
import { bytesText } from '@xs2a/doctor/bytes';
import { describeConsumer, describeStream, verifiedText } from '@xs2a/doctor/event-streams';
import { type Html, html } from '@xs2a/html/html';
import type { StreamReports } from '../now/backlog.js';
import { momentIn } from '../pages/times.js';

/** Renders one row per JetStream stream and one per durable consumer. The row of an unknown stream names what did not respond. */
export const streamTables = (reports: StreamReports, nowMs: number): Html =>
  html`<table>
      <caption>
        Streams in JetStream
      </caption>
      <thead>
        <tr>
          <th scope="col">stream</th>
          <th scope="col">state</th>
          <th scope="col" class="number">messages</th>
          <th scope="col" class="number">size</th>
          <th scope="col" class="number">last sequence</th>
          <th scope="col" class="number">published up to</th>
          <th scope="col" class="number">log ends at</th>
          <th scope="col">copy verified up to</th>
        </tr>
      </thead>
      <tbody>
        ${reports.map(([resource, { answer, missing }]) =>
          answer === undefined ? unknownRow(eventStreams[resource], missing) : streamRow(answer),
        )}
      </tbody>
    </table>
    <table>
      <caption>
        Consumers
      </caption>
      <thead>
        <tr>
          <th scope="col">consumer</th>
          <th scope="col">state</th>
          <th scope="col">stream</th>
          <th scope="col" class="number">pending</th>
          <th scope="col" class="number">ack pending</th>
          <th scope="col" class="number">redelivered</th>
          <th scope="col" class="number">ack floor</th>
          <th scope="col">behind since</th>
        </tr>
      </thead>
      <tbody>
        ${reports.flatMap(([resource, { answer }]) =>
          (answer?.consumers ?? []).map((report) => consumerRow(eventStreams[resource], report, nowMs)),
        )}
      </tbody>
    </table>`;

const unknownRow = (stream: string, missing: string): Html =>
  html`<tr class="is-problem">
    <td><b>${stream}</b></td>
    <td><span class="pill problem">not known</span> ${missing} did not answer</td>
    ${Array.from({ length: 6 }, () => html`<td class="number">–</td>`)}
  </tr>`;

const streamRow = (report: EventStreamReport): Html => {
  const { stream, state, head } = report;
  const described = describeStream(report);
  const isGood = described.state === 'good';
  return html`<tr ${isGood ? undefined : html`class="is-problem"`}>
    <td><b>${stream}</b></td>
    <td>
      <span class="pill ${isGood ? 'good' : 'problem'}">${isGood ? 'published' : described.state}</span>
      ${described.text}
    </td>
    <td class="number">${state?.messages ?? '–'}</td>
    <td class="number">${state === undefined ? '–' : sizeText(state)}</td>
    <td class="number">${state?.lastSequence ?? '–'}</td>
    <td class="number">${state?.published ?? '–'}</td>
    <td class="number">${head}</td>
    <td>${state === undefined ? '–' : verifiedPart(state.verified)}</td>
  </tr>`;
};

const verifiedPart = (verified: CopyVerification | undefined): Html =>
  verified !== undefined && verified.findings > 0
    ? html`<span class="pill problem">findings</span> ${verifiedText(verified)}`
    : html`${verifiedText(verified)}`;

const sizeText = ({ bytes, maxBytes }: NonNullable<EventStreamReport['state']>): string =>
  maxBytes === undefined ? bytesText(bytes) : `${bytesText(bytes)} of ${bytesText(maxBytes)}`;

const consumerRow = (stream: string, report: ConsumerReport, nowMs: number): Html => {
  const { consumer, state } = report;
  const described = describeConsumer(report, nowMs);
  const isGood = described.state === 'good';
  return html`<tr ${isGood ? undefined : html`class="is-attention"`}>
    <td><b>${consumer}</b></td>
    <td>
      <span class="pill ${isGood ? 'good' : 'attention'}">${isGood ? 'reads' : described.state}</span>
    </td>
    <td>${stream}</td>
    <td class="number">${state?.pending ?? '–'}</td>
    <td class="number">${state?.ackPending ?? '–'}</td>
    <td class="number">${state?.redelivered ?? '–'}</td>
    <td class="number">${state?.ackFloor ?? '–'}</td>
    <td>
      ${isGood || state?.oldestAt === undefined ? described.text || '–' : `${momentIn(state.oldestAt)}: ${described.text}`}
    </td>
  </tr>`;
};

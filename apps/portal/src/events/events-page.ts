import type { OpenApiDocument } from '@xs2a/gateway/openapi/document';
import { Html, html } from '@xs2a/html/html';
import { codeBlock } from '../pages/code.js';
import { page } from '../pages/layout.js';
import { fieldList } from '../reference/field-list.js';
import { listFields, mergeFields, parameterRow } from '../reference/fields.js';
import { listOperations, type Operation, pageOf } from '../reference/operations.js';
import published from './generated/published.json' with { type: 'json' };

type Notification = Pick<Operation, 'parameters' | 'requestBody'> & { readonly description: string };
type Callbacks = Readonly<
  Record<string, Readonly<Record<string, { readonly post: Notification } | undefined>>>
>;

/** The operations that take `TPP-Notification-URI`, and what the bank sends to this address. */
const notificationOf = (document: OpenApiDocument) => {
  const placed = listOperations(document).filter(({ operation }) => Object.hasOwn(operation, 'callbacks'));
  const [first] = placed;
  const callbacks = Reflect.get(Object(first?.operation), 'callbacks') as Callbacks | undefined;
  const notification = Object.values(callbacks?.['statusChange'] ?? {})[0]?.post;
  if (notification === undefined) throw new Error('the API description has no notifications');
  return { placed, notification };
};

const example = (day: string): string => {
  const paymentId = '01998f6f-2c7b-7b9d-8d4a-1f0e5b6c7d8e';
  const self = `/v1/payments/…/${paymentId}`;
  return JSON.stringify(
    {
      paymentId,
      transactionStatus: 'ACSC',
      fundsAvailable: true,
      timestamp: `${day}T10:15:30.000Z`,
      _links: { self: { href: self }, status: { href: `${self}/status` } },
    },
    null,
    2,
  );
};

/** What is sent without a request: status push to TPPs, and the events for the bank's own systems. `day`: today, as an ISO date. */
export const eventsPage = (document: OpenApiDocument, day: string): Html => {
  const { placed, notification } = notificationOf(document);
  const { description, parameters = [], requestBody } = notification;
  const schema = requestBody?.content['application/json']?.schema ?? {};
  const headers = parameters.map((header) => parameterRow({ ...header, required: true }));
  return page({
    path: '/events',
    title: 'Events',
    body: html`<h1>Events</h1>
      <p class="lead">
        The bank sends each change of a payment, consent or signing basket to the address in
        <code>TPP-Notification-URI</code>.
      </p>
      <h2 id="push">Status push</h2>
      <p>
        ${description} <code>TPP-Notification-Content-Preferred</code> selects the changes:
        <code>status=SCA</code>, <code>PROCESS</code> or <code>LAST</code>. The guide shows
        <a href="/guides/verify-a-notification">how to verify a notification</a> in Node, Python and Java.
      </p>
      ${codeBlock('POST to your address', example(day))}
      <h3 id="headers">Headers</h3>
      ${fieldList(headers)}
      <h3 id="body">Body</h3>
      ${fieldList(mergeFields([{ name: '', fields: listFields(document, schema) }]))}
      <h3 id="calls">Calls that take the address</h3>
      <ul>
        ${placed.map(({ operation }) => html`<li><a href="${pageOf(operation)}">${operation.summary}</a></li>`)}
      </ul>
      <h2 id="published">Published events</h2>
      <p>For the bank’s own systems; TPPs do not receive them.</p>
      <div class="guide">${new Html(published.join('\n'))}</div>`,
  });
};

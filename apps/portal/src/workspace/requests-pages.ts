import type { OwnRequest, RequestDetails, SentMessage } from '@xs2a/contracts/console.contract';
import type { Profile } from '@xs2a/domain/profile/profile';
import { type Html, html } from '@xs2a/html/html';
import { paymentServices } from '@xs2a/domain/payment/payment-services';
import type { CallSetting } from '@xs2a/refusals/corrected-request';
import { type Explanation, explain } from '@xs2a/refusals/explain';
import { explained } from '@xs2a/refusals/explained';
import { ruleAddress } from '../errors/error-pages.js';
import { codeBlock } from '../pages/code.js';
import { examplePsuId } from '../reference/requests.js';
import { curlOf } from './curl.js';
import { instant } from './instant.js';
import type { Session } from './session.js';
import { hasUnreadBody, unreadBodyNote } from './unread-body.js';
import { violationList, violationsIn } from './violations.js';
import { earlier, workspacePage } from './workspace-page.js';

/** An HTTP status, coloured by its class. */
export const statusPill = (status: number): Html =>
  html`<span class="pill ${status < 400 ? 'good' : status < 500 ? 'attention' : 'problem'}">${status}</span>`;

/** One line per call. */
export const callRows = (calls: readonly OwnRequest[]): Html =>
  html`<ul class="rows calls">
    ${calls.map(
      ({ time, operation, status, code, path, requestId }) =>
        html`<li>
          ${statusPill(status)}
          <a href="/workspace/requests/${requestId}"><b>${operation}</b></a>
          <span class="quiet">${instant(time)}</span>
          ${
            code === undefined
              ? undefined
              : html`<span
                  ><a href="/errors/${code}">${code}</a>${
                    path === undefined ? undefined : html` at <code>${path}</code>`
                  }</span
                >`
          }
        </li>`,
    )}
  </ul>`;

/** The calls of the last 24 hours. */
export const requestsPage = ({
  session,
  calls,
  next,
}: {
  readonly session: Session;
  readonly calls: readonly OwnRequest[];
  readonly next?: string;
}): Html =>
  workspacePage({
    session,
    path: '/workspace/requests',
    title: 'Requests',
    body: html`<p class="lead">
        Calls with your access tokens in the last 24 hours, newest first, without those that only read lists
        of the sandbox. Open one to see what was sent and why it was refused.
      </p>
      ${calls.length === 0 && next === undefined ? html`<p>No calls.</p>` : callRows(calls)}
      ${earlier('/workspace/requests', next)}`,
  });

export interface ShownRequest {
  readonly session: Session;
  readonly requestId: string;
  /** The calls with this X-Request-ID, newest first. */
  readonly requests: readonly RequestDetails[];
  readonly profile: Profile;
  readonly baseUrl: string;
  /** The ISO date of the sandbox. */
  readonly today: string;
  /** The redirect URIs of the TPP. */
  readonly redirectUris: readonly string[];
  /** True if the workspace has a form for the operation. */
  readonly canBeTried: (operation: string) => boolean;
}

/** The calls with one X-Request-ID: why each was refused, and what was sent. */
export const requestPage = (shown: ShownRequest): Html => {
  const { session, requestId, requests } = shown;
  return workspacePage({
    session,
    path: '/workspace/requests/one',
    title: requests[0]?.operation ?? 'Request',
    body: html`<p class="quiet">X-Request-ID <code>${requestId}</code></p>
      ${requests.map((request) => callShown(request, shown))}
      <p><a href="/workspace/requests">All requests</a></p>`,
  });
};

/** The page of an X-Request-ID that no call of the TPP had. */
export const noRequestPage = (session: Session, requestId: string): Html =>
  workspacePage({
    session,
    path: '/workspace/requests/one',
    title: 'No such call',
    body: html`<p class="quiet">X-Request-ID <code>${requestId}</code></p>
      <p>
        In the last 24 hours, no call with a token of your application had this X-Request-ID. A call without a
        token, or with one that this bank did not issue, is not stored.
      </p>
      <p><a href="/workspace/requests">All requests</a></p>`,
  });

/** The payment service and the product in the path of a call. */
const placeIn = (url = ''): Pick<CallSetting, 'service' | 'product'> => {
  const segments = url.split('?', 1)[0]?.split('/').slice(1) ?? [];
  const service = paymentServices.find((name) => segments.slice(0, 2).includes(name));
  return service === undefined ? {} : { service, product: segments[segments.indexOf(service) + 1] };
};

/** Why a call was refused or failed, in the words of the bank's answer if it was stored; undefined for a call that was served. */
const explanationOf = (
  call: RequestDetails,
  { profile, today, redirectUris }: ShownRequest,
): Explanation | undefined => {
  const { status, code, path, operation, request, requestId } = call;
  if (status < 400) return undefined;
  const [first, ...others] = violationsIn(call);
  return explain(
    {
      operation,
      status,
      code: code ?? null,
      failure: call.failure ?? null,
      path: path ?? null,
      text: first?.text,
      otherPaths: others.flatMap((violation) => violation.path ?? []),
    },
    {
      today,
      standard: profile.standard,
      currencies: profile.currencies,
      own: {
        redirectUri: redirectUris[0],
        psuId: examplePsuId,
        reference: `INV-${requestId.slice(0, 8)}`,
      },
      address: request?.url,
      ...placeIn(request?.url),
    },
  );
};

const callShown = (call: RequestDetails, shown: ShownRequest): Html => {
  const { baseUrl, canBeTried } = shown;
  const { status, code, time, operation, request, response } = call;
  const explanation = explanationOf(call, shown);
  return html`<section class="call-shown" aria-label="Call of ${time}">
    <p>
      ${statusPill(status)} ${instant(time)}
      ${code === undefined ? undefined : html`<a href="/errors/${code}">${code}</a>`}
      ${operation === 'none' ? undefined : html`<a class="quiet" href="/reference/${operation}">reference</a>`}
    </p>
    ${
      explanation === undefined
        ? undefined
        : html`<div class="why">
            <h2>Why</h2>
            ${explained(explanation, {
              showsPages: false,
              addressOf: (rule) => ruleAddress(rule, code ?? ''),
              unknownAnswer:
                'The answer was not stored. The bank may have named a more specific cause than this text, which is the usual one for the violated rule:',
            })}
            ${violationList(call)}
          </div>`
    }
    ${
      request === undefined
        ? html`<p class="quiet">
            The headers and bodies of this call were not stored. The sandbox stores those of the first hundred
            calls in a minute, if <code>CALL_BODIES</code> is on.
          </p>`
        : html`<h2>Request</h2>
            ${codeBlock(`${request.method} ${request.url}`, messageText(request))}
            ${request.bodyCut !== true && canBeTried(operation) ? againLinks(call, request) : undefined}
            <h2>As curl</h2>
            ${codeBlock('curl', curlOf(request, baseUrl))}
            ${hasUnreadBody(request) ? html`<p class="quiet">${unreadBodyNote} Add yours with <code>-d</code>.</p>` : undefined}`
    }
    ${
      response === undefined
        ? undefined
        : html`<h2>Answer</h2>
            ${codeBlock(`Answer ${status}`, messageText(response))}`
    }
  </section>`;
};

/** The links to the form that has the values of the call. */
const againLinks = (
  { operation, requestId, time }: RequestDetails,
  { headers, method }: NonNullable<RequestDetails['request']>,
): Html => {
  const to = (more: Readonly<Record<string, string>>): string =>
    `/workspace/try/${operation}/again/${requestId}?${new URLSearchParams({ at: time, ...more }).toString()}`;
  const hasKey = method === 'POST' && headers['idempotency-key'] !== undefined;
  return html`<p>
    <a class="button second" href="${to({})}">Send again</a>
    ${
      hasKey
        ? html`<a class="button second" href="${to({ key: 'same' })}"
            >Send again with the same Idempotency-Key</a
          >`
        : undefined
    }
  </p>`;
};

/** JSON with two spaces, and any other text as it is. */
export const prettyBody = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

const messageText = ({ headers, body, bodyCut }: SentMessage): string =>
  [
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', prettyBody(body)]),
    ...(bodyCut === true ? ['…'] : []),
  ].join('\n');

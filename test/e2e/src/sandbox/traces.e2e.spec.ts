// Lane: long (it starts a sandbox of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { until } from '@xs2a/nats/testing/until';
import { makeLayout } from '@xs2a/sandbox/layout';
import { type ServiceName, serviceNames } from '@xs2a/sandbox/services/service-table';
import { allMetrics } from '@xs2a/test-support/metrics';
import { domesticPath, domesticPayment, initiate } from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { type CollectedSpan, SpanCollector } from '@xs2a/test-support/span-collector';
import { World } from '@xs2a/test-support/world';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import { readFileSync } from 'node:fs';

let collector: SpanCollector;
let receiver: HttpReceiver;
let world: World;
let tpp: TppClient;
let token: string;
let psu: FreshPsu;
let paymentId: string;
/** What was sent to the service and must not be in a span. */
const secrets: string[] = [];

/** The service, with tracing on, and one payment from its POST to the notification of its last status. */
beforeAll(async () => {
  collector = await SpanCollector.start();
  receiver = await HttpReceiver.start();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, LOG_LEVEL: 'debug' };
  world = await World.start(Object.fromEntries(serviceNames.map((name) => [name, env])));
  const redirectUri = `${receiver.url}/canary-callback`;
  const json = { name: 'Canary Traders', redirectUris: [redirectUri], roles: ['PSP_AI', 'PSP_PI'] };
  const { clientId, clientSecret } = parseJson<{ clientId: string; clientSecret: string }>(
    await send('POST', `${world.baseUrl}/sandbox/tpps`, { json }),
  );
  tpp = new TppClient(world.baseUrl, { clientId, clientSecret, redirectUri });
  token = await tpp.applicationToken();
  psu = await world.person('100.00');
  const iban = psu.accounts[0]?.iban ?? '';
  secrets.push(clientSecret, token, psu.psuId, psu.password, iban);
  const body = domesticPayment(iban, '12.50', {
    creditorName: 'Canary Payee',
    endToEndIdentification: 'CANARY-E2E',
    remittanceInformationUnstructured: 'Canary invoice',
  });
  const payment = await initiate(tpp, token, body, {
    'tpp-notification-uri': `${receiver.url}/canary-push?canary=query`,
    'psu-ip-address': '198.51.100.99',
  });
  ({ paymentId } = payment);
  await walkAndApprove(world.browser(), payment.scaRedirect, psu);
  await world.advance('PT1M1S');
  await tpp.call('GET', `${payment.path}/status?canary=query`, token);
  await send('GET', `${world.baseUrl}/v1/canary-path`);
  // Each service sends its spans every second: these are the last ones.
  await until(() => {
    expect(spansNamed('settlement-worker', 'settle payments')).not.toEqual([]);
    expect(spansNamed('accounts', 'core bank holds.post')).not.toEqual([]);
    expect(spansNamed('auth', 'svc.payments.authorisation.sign')).not.toEqual([]);
    expect(spansNamed('gateway', 'GET')).not.toEqual([]);
    const last = spansNamed('notifications', push).at(-1)?.parentId;
    expect([last, last]).toEqual([expect.any(String), appended('settled')?.spanId]);
  });
});
afterAll(async () => {
  await world.stop();
  await receiver.stop();
  await collector.stop();
});

const push = 'POST notification';
const spansNamed = (service: ServiceName, name: string): CollectedSpan[] =>
  collector.spans.filter((span) => span.service === service && span.name === name);
/** The span that appended an event of this type to the payment. */
const appended = (type: string): CollectedSpan | undefined =>
  spansNamed('payments', 'append events').find(
    ({ attributes }) =>
      attributes['xs2a.stream_id'] === paymentId && String(attributes['xs2a.event_types']) === type,
  );
/** The spans from the root of the trace down to this one. */
const wayTo = (span: CollectedSpan | undefined): string[] => {
  if (span === undefined) return ['no span'];
  const parent = collector.spans.find(({ spanId }) => spanId === span.parentId);
  const own = `${span.service} ${span.kind} ${span.name}`;
  return span.parentId === undefined ? [own] : [...wayTo(parent), own];
};
const call = (from: ServiceName, to: ServiceName, subject: string): string[] => [
  `${from} CLIENT ${subject}`,
  `${to} SERVER ${subject}`,
];
const append = 'payments CLIENT append events';

describe('the spans of a payment (ADR 76; docs/how-to/operate.md)', () => {
  it('lead from the POST through the payments service to the core bank and to the append', () => {
    const post = [
      'gateway SERVER POST /payments/:paymentProduct',
      ...call('gateway', 'payments', 'svc.payments.initiate'),
    ];
    expect(wayTo(appended('initiated'))).toEqual([...post, append]);
    const asked = spansNamed('accounts', 'core bank accounts.facts').map(wayTo);
    expect(asked).toContainEqual([
      ...post,
      ...call('payments', 'accounts', 'svc.accounts.facts'),
      'accounts CLIENT core bank accounts.facts',
    ]);
  });

  it('lead from each page of the PSU to its append, which links to the append before', () => {
    const page = 'gateway SERVER POST /sca/*';
    expect(wayTo(appended('accepted'))).toEqual([
      page,
      ...call('auth', 'payments', 'svc.payments.authorisation.identify'),
      append,
    ]);
    expect(wayTo(appended('signed'))).toEqual([
      page,
      ...call('auth', 'payments', 'svc.payments.authorisation.sign'),
      append,
    ]);
    expect(appended('accepted')?.links).toEqual([appended('initiated')?.spanId]);
    expect(appended('signed')?.links).toEqual([appended('accepted')?.spanId]);
  });

  it('lead from the signature to the event’s consumer, to settlement, to the core bank and to the last status', () => {
    const signed = wayTo(appended('signed'));
    expect(spansNamed('settlement-worker', 'process settlement').map(wayTo)).toEqual([
      [...signed, 'settlement-worker CONSUMER process settlement'],
    ]);
    const settled = [...signed, 'settlement-worker CONSUMER settle payments'];
    for (const step of ['place', 'post'])
      expect(spansNamed('accounts', `core bank holds.${step}`).map(wayTo)).toEqual([
        [
          ...settled,
          ...call('settlement-worker', 'accounts', `svc.accounts.holds.${step}`),
          `accounts CLIENT core bank holds.${step}`,
        ],
      ]);
    for (const type of ['settlement-started', 'settled'])
      expect(wayTo(appended(type))).toEqual([
        ...settled,
        ...call('settlement-worker', 'payments', 'svc.payments.settlement.record'),
        append,
      ]);
  });

  it('lead from each change to its notification', () => {
    const causes = new Set(spansNamed('notifications', push).map(({ parentId }) => parentId));
    const changes = ['accepted', 'signed', 'settlement-started', 'settled'];
    expect([...causes]).toEqual(changes.map((type) => appended(type)?.spanId));
  });

  it('are no errors, and name routes in place of paths', () => {
    expect(collector.spans.filter(({ isError }) => isError)).toEqual([]);
    const routes = spansNamed('gateway', 'GET /payments/:paymentProduct/:paymentId/status');
    expect(routes.map(({ attributes }) => attributes)).toEqual([
      expect.objectContaining({
        'http.request.method': 'GET',
        'http.route': '/payments/:paymentProduct/:paymentId/status',
        'http.response.status_code': expect.any(Number),
      }),
    ]);
    expect(spansNamed('gateway', 'GET').map(({ attributes }) => attributes)).toEqual([
      expect.objectContaining({ 'http.response.status_code': 404, 'xs2a.error_code': 'RESOURCE_UNKNOWN' }),
    ]);
  });

  it('contain no account number, name, PSU-ID, password, token, address or text of a client', () => {
    const text = collector.bodies.map((body) => body.toString('utf8')).join('');
    expect(text).toContain(paymentId);
    for (const secret of [...secrets, '198.51.100.99']) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/canary/i);
  });
});

describe('the metrics of all services after a payment (docs/metrics.md)', () => {
  it('contain no account number, name, PSU-ID, password, token, address, id or text of a client', async () => {
    const text = await allMetrics(world);
    expect(text).toContain('xs2a_sca_steps_total');
    for (const secret of [...secrets, '198.51.100.99', paymentId]) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/canary/i);
  });
});

interface Line {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly requestId?: string;
  readonly trace_id?: string;
}
const linesOf = (service: ServiceName): Line[] =>
  readFileSync(makeLayout(world.dataDir).log(service), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

describe('the log lines of a payment (docs/how-to/operate.md)', () => {
  it.each([
    ['initiated', ['accounts', 'gateway', 'payments']],
    ['accepted', ['accounts', 'auth', 'gateway', 'notifications', 'payments']],
    ['signed', ['accounts', 'auth', 'gateway', 'notifications', 'payments', 'settlement-worker']],
  ])('have the trace id of its event %s in all services concerned', (type, concerned) => {
    const trace = appended(type)?.traceId;
    expect(
      serviceNames.filter((name) => linesOf(name).some(({ trace_id: id }) => id === trace)).toSorted(),
    ).toEqual(concerned);
  });

  it('have a trace id wherever they have a request id, and a word as level', () => {
    const lines = serviceNames.flatMap(linesOf);
    expect(lines.length).toBeGreaterThan(30);
    expect(
      lines.filter(({ requestId, trace_id: id }) => requestId !== undefined && id === undefined),
    ).toEqual([]);
    expect(lines.filter(({ level }) => !['debug', 'info', 'warn'].includes(level))).toEqual([]);
  });
});

describe('a collector that does not answer (ADR 76)', () => {
  it('fails no request, and delays the end of a service by at most a second', async () => {
    collector.behaviour = 'hang';
    const body = domesticPayment(psu.accounts[0]?.iban ?? '', '1.00');
    for (let count = 0; count < 20; count += 1)
      expect((await tpp.call('POST', domesticPath, token, { json: body })).status).toBe(201);
    const before = linesOf('accounts').length;
    world.sandbox.services.accounts.kill('SIGTERM');
    const ending = (): readonly Line[] => linesOf('accounts').slice(before);
    await until(() => expect(ending().map(({ msg }) => msg)).toContain('stopped'));
    const at = (wanted: string): number => Date.parse(ending().find(({ msg }) => msg === wanted)?.time ?? '');
    // A slow machine needs time too, but less than the exporter would wait for an answer (10 s).
    expect(at('stopped') - at('draining')).toBeLessThan(5000);
  });
});

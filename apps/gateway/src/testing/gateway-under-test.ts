import { Kvm } from '@nats-io/kv';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { gatewaySecretHeader } from '@xs2a/contracts/oauth-paths';
import { accessTokenAudience, tppBucket, type TppRecord } from '@xs2a/contracts/auth.contract';
import type { Reply } from '@xs2a/contracts/call';
import {
  type CallRow,
  type CallRowBatch,
  recordCallRows,
  type SeenCertificate,
} from '@xs2a/contracts/console.contract';
import type { Failure } from '@xs2a/domain/failure/failures';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import type { CallContext, Envelope } from '@xs2a/calls/context';
import { connectStreams } from '@xs2a/nats/connection';
import { replyBytes } from '@xs2a/calls/reply-bytes';
import { CallClient } from '@xs2a/calls/client';
import { Health } from '@xs2a/observability/health';
import { createLogger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { RuntimeModule } from '@xs2a/runtime/runtime.module';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CallRows } from '../call-rows/call-rows.js';
import { edgeAdapter } from '../edge/edge-adapter.js';
import { type GatewayParts, prepareEdge } from '../edge/edge.js';
import { GatewayModule } from '../gateway.module.js';

export const issuer = 'http://127.0.0.1:8080';
/** The gateway's first secret; the authorization server in the test answers only requests with this secret. */
const gatewaySecret = 'first'.repeat(7);
export const paymentId = '01998f6f-2c7b-7b9d-8d4a-1f0e5b6c7d8e';
export const consentId = '01998f70-91d4-7c02-9a6b-3c5d7e8f9a0b';
export const authorisationId = '01998f6f-2c7b-7c11-b2d3-4e5f6a7b8c9d';
export const product = 'domestic-credit-transfer-BGN';

export type Answerer = (request: never) => Reply<unknown> | Promise<Reply<unknown>>;
export const refused =
  (...failures: readonly Failure[]): Answerer =>
  () => ({ failures });

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly tppMessages?: readonly { readonly code: string; readonly path?: string }[];
  } & Record<string, unknown>;
  readonly text: string;
}
/** Returns the status and the error code, for example `401 TOKEN_UNKNOWN`. */
export const readCode = ({ status, body }: Answer): string =>
  `${status} ${body.tppMessages?.[0]?.code ?? ''}`.trim();

const tpp = (
  clientId: string,
  roles: TppRecord['roles'],
  status: TppRecord['status'] = 'active',
  organizationIdentifier?: string,
): TppRecord => ({
  clientId,
  name: clientId,
  status,
  roles,
  version: 1,
  organizationIdentifier,
  redirectUris: ['https://tpp.example/callback', 'http://127.0.0.1:8090/callback'],
});
const tpps = [
  tpp('tpp', ['PSP_AI', 'PSP_PI', 'PSP_IC']),
  tpp('ai-only', ['PSP_AI']),
  tpp('barred', ['PSP_AI', 'PSP_PI', 'PSP_IC'], 'blocked'),
  tpp('certified', ['PSP_AI', 'PSP_PI', 'PSP_IC'], 'active', 'PSDBG-BNB-1'),
];

const checksBeforeBody = [
  'svc.payments.check-before-body',
  'svc.consents.check-before-body',
  'svc.accounts.sandbox.check-psu-before-body',
  'svc.accounts.sandbox.check-deposit-before-body',
  'svc.auth.sandbox.check-tpp-before-body',
];

/** A minimal authorization server for the gateway: keys, slow pages, and an echo of everything else. */
const startAuth = async (jwk: object, issuerNow: () => string, slow: (() => void)[]): Promise<Server> => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.headers[gatewaySecretHeader] !== gatewaySecret) {
      response.writeHead(403).end();
      return;
    }
    if (request.url === '/oauth2/jwks') {
      response.end(JSON.stringify({ keys: [jwk] }));
      return;
    }
    if (request.url === '/.well-known/oauth-authorization-server') {
      response.end(JSON.stringify({ issuer: issuerNow(), url: request.url, headers: request.headers }));
      return;
    }
    if (request.url === '/sca/slow') {
      slow.push(() => response.end('{}'));
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      response.end(JSON.stringify({ url: request.url, headers: request.headers, body }));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return server;
};

/** The gateway as in production, over real HTTP and NATS. Each test defines how the services behind it answer. */
export class GatewayUnderTest {
  readonly clock = new Clock(true);
  /** The responses of the other services, by subject. */
  readonly answers = new Map<string, Answerer>();
  /** The calls to the other services. */
  readonly asked: { readonly subject: string; readonly request: Record<string, unknown> }[] = [];
  /** The rows of calls that the gateway has reported to the console. */
  readonly recorded: CallRow[] = [];
  /** The certificates that the gateway has reported to the console. */
  readonly certificates: SeenCertificate[] = [];
  /** The call context of each call. */
  readonly contexts: (CallContext | undefined)[] = [];
  /** The log lines of the gateway. */
  readonly logged: string[] = [];
  nats!: NatsConnection;
  /** Functions, each of which answers one waiting request for `/sca/slow`. */
  readonly slowPages: (() => void)[] = [];
  /** The BASE_URL of the authorization server. */
  issuerOfAuth: string;
  /** Stops the authorization server permanently. */
  stopAuth: () => void = () => undefined;
  private flushRows: () => Promise<void> = async () => undefined;
  origin = '';
  private key!: CryptoKey;
  private readonly cleanUps: (() => Promise<unknown> | void)[] = [];

  constructor(private readonly settings: Partial<GatewayParts['config']> = {}) {
    this.issuerOfAuth = settings.BASE_URL ?? issuer;
  }

  async start(): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
    this.cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
    const natsServer = await startNatsWithAssets({ dataDir: join(folder, 'nats') });
    this.cleanUps.push(async () => natsServer.stop());
    const destination = { write: (line: string): void => void this.logged.push(line) };
    const logger = createLogger('gateway', 'info', { destination });
    this.nats = await connectStreams(natsServer.url, 'gateway', logger);
    this.cleanUps.push(async () => this.nats.close());
    const pair = await generateKeyPair('ES256');
    this.key = pair.privateKey;
    const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k1', use: 'sig', alg: 'ES256' };
    const auth = await startAuth(jwk, () => this.issuerOfAuth, this.slowPages);
    this.stopAuth = () => {
      auth.close();
      auth.closeAllConnections();
    };
    this.cleanUps.push(this.stopAuth);
    const bucket = await new Kvm(this.nats).open(tppBucket);
    for (const record of tpps) await bucket.put(record.clientId, JSON.stringify(record));
    this.answerCalls();
    const authUrl = `http://127.0.0.1:${(auth.address() as AddressInfo).port}`;
    await this.startApp({
      config: {
        BASE_URL: issuer,
        AUTH_URL: authUrl,
        PORTAL: 'off',
        GATEWAY_SECRET: [gatewaySecret, 'next'.repeat(8)],
        SANDBOX: true,
        PORT: 0,
        SHARE_REQUESTS: 128,
        SHARE_BYTES: 33_554_432,
        ...this.settings,
      },
      logger,
      clock: this.clock,
      streams: this.nats,
      callClient: new CallClient(this.nats, this.clock),
      profile: makeProfile('sandbox'),
      health: new Health(),
    } as unknown as GatewayParts);
  }

  async stop(): Promise<void> {
    for (const cleanUp of this.cleanUps.toReversed()) await cleanUp();
  }

  /** Called before each test: clears the recorded calls and lets all services answer successfully. */
  reset(): void {
    this.asked.length = 0;
    this.recorded.length = 0;
    this.certificates.length = 0;
    this.logged.length = 0;
    this.contexts.length = 0;
    this.answers.clear();
    for (const subject of checksBeforeBody) this.answers.set(subject, () => ({ ok: {} }));
    this.answers.set('svc.payments.initiate', () => ({ ok: { paymentId, authorisationId, product } }));
    this.answers.set('svc.payments.read-status', () => ({ ok: { transactionStatus: 'RCVD' } }));
    this.answers.set('svc.auth.introspect-token', () => ({ ok: { active: true, username: 'ivan' } }));
    this.answers.set('svc.funds-confirmation.confirm', () => ({ ok: { fundsAvailable: true } }));
    this.answers.set('svc.consents.read-status', () => ({ ok: { consentStatus: 'valid' } }));
    this.answers.set('svc.accounts.list', () => ({ ok: { accounts: [], unattendedRemaining: 3 } }));
  }

  async token(
    claims: Record<string, unknown> = {},
    { expiresIn = 300, typ = 'at+jwt', signer = this.key, kid = 'k1' } = {},
  ): Promise<string> {
    const now = Math.floor(this.clock.nowMs() / 1000);
    return new SignJWT({
      iss: issuer,
      aud: accessTokenAudience,
      client_id: 'tpp',
      sub: 'tpp',
      scope: 'PSP_AI PSP_PI',
      grant_kind: 'application',
      jti: randomUUID(),
      iat: now - 10,
      exp: now + expiresIn,
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', typ, kid })
      .sign(signer);
  }

  async aisToken(claims: Record<string, unknown> = {}): Promise<string> {
    const ofConsent = {
      grant_kind: 'user',
      sub: 'kX4r',
      scope: 'PSP_AI',
      consent_id: consentId,
      fresh: false,
    };
    return this.token({ ...ofConsent, ...claims });
  }

  async call(
    method: string,
    path: string,
    { headers = {}, body, bearer }: { headers?: Record<string, string>; body?: string; bearer?: string } = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.origin}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body,
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const parsed = isJson && text !== '' ? (JSON.parse(text) as Answer['body']) : {};
    return { status: response.status, headers: response.headers, text, body: parsed };
  }

  /** Sends bytes that no HTTP client would send, and returns the raw response. */
  async bare(request: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(this.origin).port), '127.0.0.1', () => socket.write(request));
      let text = '';
      socket.on('data', (chunk) => {
        text += String(chunk);
      });
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
  }

  /** Sends bytes and disconnects once `when` resolves, without waiting for a response. */
  async hangUp(request: string, when: () => Promise<unknown>): Promise<void> {
    const socket = connect(Number(new URL(this.origin).port), '127.0.0.1');
    socket.write(request);
    await when();
    socket.destroy();
  }

  private answerCalls(): void {
    const respond = async (message: Msg): Promise<void> => {
      const { context, request } = JSON.parse(message.string()) as Envelope<Record<string, unknown>>;
      // The reports come every few seconds, whatever the test does.
      if (message.subject.endsWith('.record-calls')) {
        if (message.subject === recordCallRows.subject) {
          const batch = request as unknown as CallRowBatch;
          this.recorded.push(...batch.rows);
          this.certificates.push(...(batch.certificates ?? []));
        }
        message.respond(replyBytes({ ok: {} }));
        return;
      }
      this.asked.push({ subject: message.subject, request });
      this.contexts.push(context);
      const answer = await this.answers.get(message.subject)?.(request as never);
      message.respond(replyBytes(answer ?? { failures: [{ failure: 'internal' }] }));
    };
    this.nats.subscribe('svc.>', { callback: (_error, message) => void respond(message) });
  }

  /** Makes the gateway report the calls so far, and returns the rows since the last reset. */
  async rows(): Promise<readonly CallRow[]> {
    await this.flushRows();
    return this.recorded;
  }

  private async startApp(parts: GatewayParts): Promise<void> {
    const app = await NestFactory.create<NestFastifyApplication>(
      RuntimeModule.forRoot(parts, GatewayModule.forRoot(parts)),
      edgeAdapter(parts),
      { logger: false, bodyParser: false, abortOnError: false },
    );
    await prepareEdge(app, parts);
    this.flushRows = async () => app.get(CallRows).flush();
    await app.init();
    await app.listen(0, '127.0.0.1');
    this.cleanUps.push(async () => app.close());
    this.origin = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
    while (!(await parts.health.ready()).ok) await new Promise(setImmediate);
  }
}
